"""The generator: one request after another from the route table, nearly half of them whole, the others spoilt."""

from collections.abc import Sequence
from random import Random

from sayso.http import v1
from tests.fuzz import fields, spoiling
from tests.fuzz.draft import Draft
from tests.fuzz.known import Function, Known, Place, Run, one_of
from tests.fuzz.requests import Request

ORGS = ("acme", "other")

# How often each operation is asked for; a route that is new gets its share without a line here.
_WEIGHTS: dict[str, float] = {
    "run_definition": 14,
    "answer_interaction": 14,
    "create_definition": 6,
    "update_definition": 5,
    "retire_definition": 0.2,  # what is retired is not run any more, and its name is never free again
    "retire_playbook": 0.1,
}
_USUAL_WEIGHT = 3
_RARE = 0.004


class Generator:
    """Makes requests: the same ones again from the same seed, as long as the responses are the same.

    ``keys`` are Authorization headers by org, the one that may do all first; none in local mode.
    """

    def __init__(self, chance: Random, known: Known, keys: dict[str, tuple[bytes, ...]]) -> None:
        self._chance = chance
        self._known = known
        self._keys = keys
        self._weights = [_WEIGHTS.get(route.operation, _USUAL_WEIGHT) for route in v1.TABLE]

    def round(self, size: int) -> list[Request]:
        """Requests that are sent at once. In one round of eight they all are about one thing."""
        if self._chance.random() >= 0.125:
            return [self._request() for _ in range(size)]
        first = self._request()
        return [first, *(self._request(first) if self._chance.random() < 0.6 else first for _ in range(size - 1))]

    def _request(self, like: Request | None = None) -> Request:
        chance, known = self._chance, self._known
        route = chance.choices(v1.TABLE, self._weights)[0]
        place = like.place if like else self._place(route.operation)
        made = fields.fields(chance, known, route.operation, place)
        if like:
            same = fields.schema(route.operation)["properties"].keys() & like.meant.keys()
            made |= {name: like.meant[name] for name in sorted(same)}
        draft = Draft(route=route, place=place, fields=made, credential=self._credential(place))
        spoil = spoiling.spoil_rarely if chance.random() < _RARE else spoiling.spoil
        return spoil(chance, draft, known).request(chance)

    def _place(self, operation: str) -> Place:
        """Where something is that the operation may be about; now and then where nothing is."""
        chance, known = self._chance, self._known
        waiting = operation in {"answer_interaction", "cancel_run"}
        things: Sequence[Run | Function] = known.open if waiting else known.ended
        thing = one_of(chance, known.functions if operation == "run_definition" else things)
        if thing is not None and chance.random() < 0.8:
            return thing.place
        found = one_of(chance, sorted(known.playbooks))
        if found is not None and chance.random() < 0.9:
            return found
        return Place(chance.choice(ORGS), chance.choice(fields.PLAYBOOKS))

    def _credential(self, place: Place) -> bytes:
        """Mostly a key that may do all in the org, else one that may do less, or one of another org."""
        own = self._keys.get(place.org, ())
        if own and self._chance.random() < 0.85:
            return own[0]
        return self._chance.choice([key for keys in self._keys.values() for key in keys]) if self._keys else b""
