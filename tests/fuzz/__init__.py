"""Fuzzing: requests that nobody would write, against every route of the real app.

One generator, driven by the route table and the operations' fields, feeds everything here. ``SAYSO_FUZZ`` says how many
requests, ``SAYSO_SEED`` which ones; the seed is always printed, and a fault comes with its number and its request.
"""
