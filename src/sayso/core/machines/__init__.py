"""The machines: what each kind of stream does with a command. A newcomer begins with ``request``."""
