"""Arguments of a tool: written lists and objects whose strings are templates, rendered to the JSON that is sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sayso.core.schemas.schema import Schema
from sayso.core.templates.place import Place
from sayso.core.values import Json

Path = tuple[str | int, ...]


class ArgumentFault(NamedTuple):
    """What is wrong with arguments: its path below ``with`` (empty: all of them), and words for the author."""

    path: Path
    detail: str


@dataclass(frozen=True, eq=False)
class Arguments:
    """The arguments of one tool, compiled. They never change, and any number of renderings may go on at once."""

    written: dict[str, Json]

    def render(self, names: Mapping[str, Json]) -> dict[str, Json]:
        """The arguments over these names. Raises RenderRefused: ``invalid_input`` for what the input lacks,
        ``unworkable`` for a structure among text and for more than ARGUMENTS_BYTES as JSON."""
        raise NotImplementedError


def compile_arguments(
    written: dict[str, Json], place: Place, input_schema: Schema | None = None
) -> Arguments | list[ArgumentFault]:
    """Arguments ready to render, or all that is wrong with them, each at its path."""
    raise NotImplementedError
