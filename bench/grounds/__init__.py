"""The kinds of ground that stores are benchmarked on."""
