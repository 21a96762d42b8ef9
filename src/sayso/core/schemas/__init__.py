"""JSON Schema as documents write it: judged before it is compiled, never fetched, and cheap for every value."""
