"""The command line: a door for people and their programs, over HTTP or at the file."""
