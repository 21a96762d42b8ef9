"""The cases with their expected values, and the runner that holds the project to them."""
