"""What the fuzzer knows of the store: the ids and schemas that it was told, so that requests reach deep."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")

_KEPT = 120


class Place(NamedTuple):
    """A playbook of an org, by their public ids."""

    org: str
    playbook: str


@dataclass(frozen=True, kw_only=True)
class Function:
    """A definition as it was last shown."""

    place: Place
    name: str
    input_schema: Any
    output_schema: Any


@dataclass(frozen=True, kw_only=True)
class Run:
    """A run as it was started, with the schema that its answer is held to."""

    place: Place
    run_id: str
    function: str
    input: Any
    output_schema: Any
    answer: Any = None


class Cursor(NamedTuple):
    """A cursor, with what it was given for."""

    place: Place
    operation: str
    text: str
    run_id: str | None


@dataclass
class Known:
    """Grows with each response. What is drawn from is bounded; ``run_ids`` and ``playbooks`` are kept whole, to be
    looked for in the listings."""

    playbooks: set[Place] = field(default_factory=set)
    run_ids: dict[Place, set[str]] = field(default_factory=lambda: defaultdict(set))
    definitions: dict[Place, set[str]] = field(default_factory=lambda: defaultdict(set))
    functions: list[Function] = field(default_factory=list)
    open: list[Run] = field(default_factory=list)
    ended: list[Run] = field(default_factory=list)
    events: list[tuple[Place, str]] = field(default_factory=list)
    cursors: list[Cursor] = field(default_factory=list)
    parties: list[str] = field(default_factory=list)

    def learn(self, operation: str, place: Place, meant: Mapping[str, Any], told: dict[str, Any]) -> None:
        """Keep what a successful response told."""
        match operation:
            case "create_playbook":
                self.playbooks.add(Place(place.org, told["id"]))
            case "create_definition" | "update_definition" | "get_definition":
                self._learn_function(place, told)
            case "retire_definition":
                self.functions = [one for one in self.functions if (one.place, one.name) != (place, told["name"])]
            case "run_definition":
                self._learn_run(place, meant, told)
            case "answer_interaction" | "cancel_run":
                self.end(told["run_id"], told.get("answer"))
            case "get_run_history":
                keep(self.events, *((place, row["id"]) for row in told["events"][:2]))
            case "list_interactions":
                keep(self.parties, *(row["to"] for row in told["interactions"][:2]))
        if told.get("next_cursor"):
            keep(self.cursors, Cursor(place, operation, told["next_cursor"], meant.get("run_id")))

    def _learn_function(self, place: Place, told: dict[str, Any]) -> None:
        self.definitions[place].add(told["name"])
        self.functions = [one for one in self.functions if (one.place, one.name) != (place, told["name"])]
        function = Function(
            place=place,
            name=told["name"],
            input_schema=told.get("input_schema", {"type": "object"}),
            output_schema=told.get("output_schema"),
        )
        keep(self.functions, function)

    def _learn_run(self, place: Place, meant: Mapping[str, Any], told: dict[str, Any]) -> None:
        is_new = told["run_id"] not in self.run_ids[place]
        self.run_ids[place].add(told["run_id"])
        found = [one for one in self.functions if (one.place, one.name) == (place, told["name"])]
        run = Run(
            place=place,
            run_id=told["run_id"],
            function=told["name"],
            input=meant.get("input"),
            output_schema=found[0].output_schema if found else None,
        )
        if is_new:
            keep(self.open if told["status"] == "started" else self.ended, run)

    def end(self, run_id: str, answer: Any = None) -> None:
        """Keep that a run waits no more."""
        ended = [run for run in self.open if run.run_id == run_id]
        if ended:
            self.open = [run for run in self.open if run.run_id != run_id]
            keep(self.ended, *(replace(run, answer=answer) for run in ended))


def keep(kept: list[T], *more: T) -> None:
    """Add to a list that stays short: the oldest go."""
    kept.extend(more)
    del kept[:-_KEPT]


def one_of(chance: Random, kept: Sequence[T]) -> T | None:
    """One of a list, rather a late one; None of an empty one."""
    if not kept:
        return None
    return kept[-1 - int(len(kept) * chance.random() ** 2)]
