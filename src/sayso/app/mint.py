"""The mint: ids of new streams, ever later ones within a process."""

from sayso.core import ids
from sayso.ports import Clock, Entropy


class Mint:
    """Makes stream ids from the process's clock and chance."""

    def __init__(self, clock: Clock, entropy: Entropy) -> None:
        self._clock = clock
        self._entropy = entropy
        self._last = 0

    def stream(self, shard: int) -> bytes:
        """A new id in a shard. It sorts after all that this mint made before, even if the clock stands or goes back."""
        self._last = max(self._clock.now(), self._last + 1)
        return ids.stream_id(self._last, shard, self._entropy.bits(ids.CHANCE_BITS))
