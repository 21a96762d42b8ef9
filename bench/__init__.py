"""Benchmarks: sayso beside what the machine itself can do, in one run, judged by ratios alone."""
