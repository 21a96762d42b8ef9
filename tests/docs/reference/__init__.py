"""What the reference lists, made from the code it is about. Each module makes one list, as Markdown."""
