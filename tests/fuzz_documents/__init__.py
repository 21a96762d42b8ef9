"""Fuzzing documents: functions that a person might write, that a careless one would, and that an attacker does.

Document ``i`` of a seed is always the same text, so every finding can be seen again by itself:
``python -m tests.fuzz_documents --seed N --only I``. ``SAYSO_FUZZ_DOCUMENTS`` says how many, ``SAYSO_SEED`` which ones.
"""
