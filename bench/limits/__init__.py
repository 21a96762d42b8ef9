"""Limits: what the databases can do when nothing is decided, rendered or checked."""
