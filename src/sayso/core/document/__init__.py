"""Interaction functions as documents: read, checked and made ready to run, without touching the world."""
