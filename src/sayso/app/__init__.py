"""What a door can ask for: one noun a file, over units that do what was decided. `assemble` puts it together."""
