"""disk: the bytes of a million requests, half of them answered, in multiples of their payload.

The payload is the input, the message as it was rendered, the answer, and the data of the events. Without that data,
which holds our own names, times and digests, it is what people and programs sent: shown beside it.
"""

from collections.abc import AsyncIterator, Sequence

from bench.conditions import Conditions
from bench.filling import CHUNK, GROUP, told
from bench.ground import Place, fresh
from bench.questions import ANSWER, Asked, Questions, answers
from bench.rounds import Figures
from bench.writing import commit
from sayso.app.units.unit import Unit
from sayso.core import values
from sayso.core.commands import Ask
from sayso.ports import Store

REQUESTS = 1_000_000
ANSWERED_OF = 2
PLAYBOOKS = [Asked(playbook=number) for number in range(1, 101)]


async def rounds(conditions: Conditions) -> AsyncIterator[Figures]:
    """Bytes a request. They are counted and not timed, so one round says it."""
    requests = conditions.size(REQUESTS, 1_000)
    async with fresh(conditions.ground) as place:
        empty = await _bytes(place)
        sent, data = await _filled(place, requests)
        taken = await _bytes(place) - empty
    yield {
        "bytes a request": taken / requests,
        "sent a request": sent / requests,
        "event data a request": data,
        "bytes of payload": taken / (sent + data * requests),
        "bytes of what was sent": taken / sent,
    }


async def _bytes(place: Place) -> int:
    """How much a place takes that nobody has open."""
    await (await place.open()).close()
    return await place.bytes()


async def _filled(place: Place, requests: int) -> tuple[int, float]:
    """Ask so many, answer every other; the bytes of what was sent, and of the events' data a request."""
    questions, sent = Questions(PLAYBOOKS), 0
    asks: list[Unit] = []
    store = await place.open()
    try:
        for first in range(0, requests, CHUNK):
            asks = questions.asks(min(CHUNK, requests - first))
            answered = answers(asks[::ANSWERED_OF])
            await commit(store, asks, GROUP)
            await commit(store, answered, GROUP)
            sent += _sent(asks) + len(answered) * values.size(ANSWER)
            told(first)
        return sent, await _told(store, asks)
    finally:
        await store.close()


async def _told(store: Store, asks: Sequence[Unit]) -> float:
    """The bytes of the data of these requests' events, a request."""
    streams = [unit.orders[0].stream for unit in asks]
    rows = [await store.query("events_since", shard=0, stream=stream, from_seq=1) for stream in streams]
    return sum(len(row["data"].encode()) for found in rows for row in found) / len(asks)


def _sent(asks: Sequence[Unit]) -> int:
    total = 0
    for unit in asks:
        ask = unit.orders[0].command
        assert isinstance(ask, Ask) and ask.question is not None, "what is asked here is a question"
        total += ask.started.input_bytes + ask.question.message_bytes
    return total
