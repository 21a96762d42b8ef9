"""The HTTP door, over the real app."""  # noqa: A005 - the folder is named by what it tests
