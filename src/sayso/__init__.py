"""sayso: ask a person or a system, wait at the cost of a row, go on with a checked answer."""

__version__ = "0.1.0"
