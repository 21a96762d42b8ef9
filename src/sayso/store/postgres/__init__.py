"""The store on PostgreSQL, for any number of processes."""
