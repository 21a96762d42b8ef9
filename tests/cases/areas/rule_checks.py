"""Rule checks."""
