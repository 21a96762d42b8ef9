"""The pure core: it decides, and neither reads a clock nor touches the world."""
