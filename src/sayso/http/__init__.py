"""The HTTP door: requests become operations, outcomes and problems become replies. It decides nothing itself."""
