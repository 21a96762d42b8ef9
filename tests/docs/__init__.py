"""The docs are held to the program: what they show is run, what they list is generated, where they lead is there."""
