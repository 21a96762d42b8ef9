"""The door asked by what its OpenAPI document says alone: ``make fuzz-openapi``.

Schemathesis does the asking, in an environment of its own: it needs an older ``jsonschema-rs`` than we do. Its side is
``asker.py``, which imports nothing of ours.
"""
