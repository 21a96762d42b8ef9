"""How run data changes, whoever ordered it: units are queued, decided, written and committed, then their callers hear.

Nothing here knows an operation or a door.
"""
