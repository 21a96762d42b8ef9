"""Real PostgreSQL servers for the tests, and what stands beside them: a standby, a pooler, a relay that cuts."""
