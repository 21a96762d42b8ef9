"""What is done about what was decided: units, the writer, the worker, and one operation for each thing on offer."""
