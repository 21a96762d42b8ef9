"""Identifiers: the streams we mint, the events in them, and their two spellings.

A stream id is a UUIDv7 whose low 20 bits are zero; an event id is its stream's id with the event's sequence number
there, so that reading either is one look at a primary key. Eight of the random bits name the shard.
"""

import re

SEQ_BITS = 20
SEQ_MAX = (1 << SEQ_BITS) - 1
SHARD_MAX = 255
CHANCE_BITS = 34

_SHARD_AT = SEQ_BITS + CHANCE_BITS
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
_CROCKFORD_ID = re.compile(rf"[0-7][{_CROCKFORD}]{{25}}")


def stream_id(at: int, shard: int, chance: int) -> bytes:
    """A new stream's id: minted at ``at`` (microseconds since 1970), in ``shard`` (0 to 255).

    ``chance`` fills 34 bits. Ids of later microseconds sort later.
    """
    milliseconds, microseconds = divmod(at, 1000)
    fraction = (microseconds << 12) // 1000
    high = milliseconds << 80 | 7 << 76 | fraction << 64
    low = 2 << 62 | shard << _SHARD_AT | (chance & ((1 << CHANCE_BITS) - 1)) << SEQ_BITS
    return (high | low).to_bytes(16, "big")


def shard_of(identifier: bytes) -> int:
    """The shard that a stream id or an event id names."""
    return int.from_bytes(identifier, "big") >> _SHARD_AT & SHARD_MAX


def event_id(stream: bytes, seq: int) -> bytes:
    """The id of the event at ``seq`` (1 to 1,048,575) of a stream."""
    return (int.from_bytes(stream, "big") | seq).to_bytes(16, "big")


def split_event_id(identifier: bytes) -> tuple[bytes, int]:
    """The stream and the sequence number that an event id holds."""
    whole = int.from_bytes(identifier, "big")
    return (whole & ~SEQ_MAX).to_bytes(16, "big"), whole & SEQ_MAX


def uuid_text(identifier: bytes) -> str:
    """The spelling of v1: a UUID in lower case."""
    digits = identifier.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def from_uuid_text(text: str) -> bytes:
    """The id that ``uuid_text`` wrote."""
    return bytes.fromhex(text.replace("-", ""))


def parse_uuid(text: str) -> bytes | None:
    """The id that a UUID in any letter case spells; None when it spells none."""
    lower = text.lower()
    return from_uuid_text(lower) if len(text) == 36 and _UUID.fullmatch(lower) else None


def prefixed_text(prefix: str, identifier: bytes) -> str:
    """The spelling of v2: a prefix, an underscore and 26 Crockford digits."""
    whole = int.from_bytes(identifier, "big")
    return f"{prefix}_" + "".join(_CROCKFORD[whole >> shift & 31] for shift in range(125, -1, -5))


def parse_prefixed(prefix: str, text: str) -> bytes | None:
    """The id that a v2 spelling with this prefix holds, in any letter case; None when it holds none."""
    digits = text.removeprefix(f"{prefix}_").lower()
    if len(digits) == len(text) or not _CROCKFORD_ID.fullmatch(digits):
        return None
    whole = 0
    for digit in digits:
        whole = whole << 5 | _CROCKFORD.index(digit)
    return whole.to_bytes(16, "big")
