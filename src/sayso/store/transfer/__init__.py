"""Moving a store from SQLite to PostgreSQL, whole, also if it is cut off and begun again."""
