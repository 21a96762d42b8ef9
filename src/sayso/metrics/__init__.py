"""Metrics in the form of Prometheus: what is counted while it happens, and what is read when somebody asks."""
