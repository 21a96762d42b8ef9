"""Liquid as documents write it: checked against the names of its place, bounded, and only ever text or JSON."""
