"""Routes: which operation a method and a path ask for. One table of them is read into a tree once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from sayso.app import access, inputs
from sayso.errors import Problem, Reason, not_found
from sayso.http import wire
from sayso.http.wire import Read, Refusal

_READERS: Mapping[object, Read] = {bool: wire.truth, int: wire.whole, int | None: wire.whole}


@dataclass(frozen=True)
class Route:
    """One row of the table: ``{names}`` in the path are fields, or say where the operation acts."""

    method: str
    path: str
    operation: str
    status: int = 200
    is_versioned: bool = False  # it shows a version of a definition, which ETag and If-Match name

    @property
    def parts(self) -> list[str]:
        """The path, split."""
        return self.path.split("/")[1:]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names in the path, in its order."""
        return tuple(part[1:-1] for part in self.parts if part.startswith("{"))

    @cached_property
    def is_query(self) -> bool:
        """Whether it only reads: its fields stand in the URL and its caller's leaving stops it."""
        return self.method == "GET"

    @cached_property
    def readers(self) -> Mapping[str, Read]:
        """How the texts of a query become the values of those fields that are no texts."""
        fields = inputs.INPUTS[self.operation].model_fields.items()
        return {name: _READERS[its.annotation] for name, its in fields if its.annotation in _READERS}

    @cached_property
    def carried(self) -> tuple[str, ...]:
        """The names of the path that are fields of the operation; the others only say where it acts."""
        place = {"org"} if self.operation in access.ORG_OPERATIONS else {"org", "playbook"}
        return tuple(name for name in self.names if name not in place)


class Found(NamedTuple):
    """A route, with what the path says where it has names."""

    route: Route
    path_fields: dict[str, str]


@dataclass
class _Node:
    literals: dict[str, "_Node"] = field(default_factory=dict)
    name: "_Node | None" = None
    methods: dict[str, Route] = field(default_factory=dict)


class Router:
    """The table as a tree. No part of a path is both a word and a name, so that finding never goes back."""

    def __init__(self, table: Iterable[Route]) -> None:
        self._root = _Node()
        for route in table:
            self._add(route)

    def _add(self, route: Route) -> None:
        node = self._root
        for part in route.parts:
            if part.startswith("{"):
                node.name = following = node.name or _Node()
            else:
                following = node.literals.setdefault(part, _Node())
            if node.name and node.literals:
                raise ValueError(f"{route.path} reads in two ways at {part}")
            node = following
        if route.method in node.methods:
            raise ValueError(f"{route.method} {route.path} stands twice in the table")
        node.methods[route.method] = route

    def find(self, method: str, parts: list[str]) -> Found:
        """The route of a request; 404 for a path that is none, 405 with ``Allow`` for another method. HEAD is GET."""
        node, given = self._root, []
        for part in parts:
            following = node.literals.get(part)
            if following is None and node.name is not None and part:
                given.append(part)
                following = node.name
            if following is None:
                raise not_found("path")
            node = following
        route = node.methods.get("GET" if method == "HEAD" else method)
        if route is None:
            raise not_found("path") if not node.methods else method_not_allowed(node.methods)
        return Found(route, dict(zip(route.names, given, strict=True)))


def method_not_allowed(methods: Iterable[str]) -> Refusal:
    """The 405 of a path that knows these methods; HEAD stands wherever GET does."""
    known = {*methods} | ({"HEAD"} if "GET" in methods else set())
    allowed = ", ".join(sorted(known))
    problem = Problem(Reason.METHOD_NOT_ALLOWED, f"This path takes {allowed}.")
    return Refusal(problem, (b"allow", allowed.encode()))
