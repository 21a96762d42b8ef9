"""The virtual clock: it stands still until it is moved, and never goes back."""


class VirtualClock:
    """Microseconds since 1970, as a case has them."""

    def __init__(self, start: int) -> None:
        self._at = start

    def now(self) -> int:
        """The time that the clock was last moved to."""
        return self._at

    def move(self, at: int) -> None:
        """Move on to a later time; an earlier one changes nothing."""
        self._at = max(self._at, at)
