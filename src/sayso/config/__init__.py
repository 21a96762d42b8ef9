"""How settings are written: what each takes, in the environment and in a file, and what becomes of a change."""
