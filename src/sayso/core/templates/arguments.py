"""Arguments of a tool: written lists and objects whose strings are templates, rendered to the JSON that is sent."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sayso.core import pointers
from sayso.core.bounds import ARGUMENTS_BYTES, ARGUMENTS_NAMES, SAMPLE_CHARGES
from sayso.core.schemas.schema import Schema
from sayso.core.templates.place import Place
from sayso.core.templates.rendering import Meter, Overflow, RenderRefused
from sayso.core.templates.source import count_names
from sayso.core.templates.template import Template, is_settled, read_template
from sayso.core.values import Json, compact, size

Path = tuple[str | int, ...]

# What makes a template of a string, or a fault. Any other is sent as it is, and never costs the engine anything.
_MARKED = re.compile(r"\{[{%]|\$\{")
_IN_KEY = re.compile(r"\{[{%]")
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")

_NO_KEY = "No key is a template: this one is sent as it stands. Write the name that the tool gives the argument."
_ALONE = f"This argument alone takes more than {ARGUMENTS_BYTES:,} bytes as JSON."
_TOGETHER = f"The arguments take more than {ARGUMENTS_BYTES:,} bytes as JSON, all together."


class ArgumentFault(NamedTuple):
    """What is or may be wrong with arguments: its path below ``with`` (empty: all), and words for the author."""

    path: Path
    detail: str


@dataclass(frozen=True, eq=False)
class Arguments:
    """The arguments of one tool, compiled. They never change, and any number of renderings may go on at once.

    ``compiled`` is what is written, with each template in the place of its string, and ``fixed_bytes`` is what all else
    of it takes as JSON. ``doubts`` are what was taken and hardly meant.
    """

    written: dict[str, Json]
    compiled: Mapping[str, object]
    fixed_bytes: int
    doubts: tuple[ArgumentFault, ...]

    def render(self, names: Mapping[str, Json]) -> dict[str, Json]:
        """The arguments over these names. Raises RenderRefused: ``invalid_input`` for what the input lacks,
        ``unworkable`` for a structure among text and for more than ARGUMENTS_BYTES as JSON."""
        rendering = _Rendering(names, self.fixed_bytes)
        return {key: rendering.part(part, (key,)) for key, part in self.compiled.items()}

    def templates(self) -> Iterator[tuple[Path, Template]]:
        """Every template of the arguments, at its path."""
        waiting: list[tuple[Path, object]] = [((), self.compiled)]
        while waiting:
            path, part = waiting.pop()
            match part:
                case Template():
                    yield path, part
                case dict():
                    waiting += [((*path, key), below) for key, below in part.items()]
                case list():
                    waiting += [((*path, index), below) for index, below in enumerate(part)]


def compile_arguments(
    written: dict[str, Json], place: Place, input_schema: Schema | None = None
) -> Arguments | list[ArgumentFault]:
    """Arguments ready to render, or all that is wrong with them, each at its path."""
    compilation = _Compilation(place, input_schema)
    compiled = compilation.members(written, ())
    fixed_bytes = size(written) - compilation.template_bytes
    return compilation.all_faults(fixed_bytes) or Arguments(written, compiled, fixed_bytes, tuple(compilation.doubts))


class _Rendering:
    """One rendering of arguments: what all of them may still cost, and how many bytes they may still take."""

    def __init__(self, names: Mapping[str, Json], fixed_bytes: int) -> None:
        self._names = names
        self._meter = Meter()
        self._room = ARGUMENTS_BYTES
        self._take(fixed_bytes)

    def _take(self, taken: int) -> None:
        self._room -= taken
        if self._room < 0:
            raise RenderRefused("unworkable", _TOGETHER)

    def part(self, part: object, path: Path) -> Json:
        """One part of the arguments, with all below it."""
        match part:
            case Template():
                return self._value(part, path)
            case dict():
                return {key: self.part(below, (*path, key)) for key, below in part.items()}
            case list():
                return [self.part(below, (*path, index)) for index, below in enumerate(part)]
        return part

    def _value(self, template: Template, path: Path) -> Json:
        try:
            value = template.value(self._names, ARGUMENTS_BYTES, self._meter)
            taken = _bytes(value)
        except RenderRefused as refusal:
            where = pointers.shortened(pointers.join(path))
            raise RenderRefused(refusal.reason, f"The argument {where}: {refusal.detail}", refusal.pointer) from refusal
        self._take(taken)
        return value


class _Compilation:
    """One compilation of arguments: the faults so far, and what the sample came to."""

    def __init__(self, place: Place, schema: Schema | None) -> None:
        self._place = place
        self._schema = schema
        self._meter = Meter(SAMPLE_CHARGES)
        self._names_left = ARGUMENTS_NAMES
        self._faults: list[ArgumentFault] = []
        self._varies = False
        self._too_long: list[ArgumentFault] = []
        self._sample_bytes = 0
        self.template_bytes = 0
        self.doubts: list[ArgumentFault] = []

    def part(self, written: Json, path: Path) -> object:
        """One part of the arguments, with all below it: a template for each string that is one."""
        match written:
            case str():
                return self._text(written, path)
            case dict():
                return self.members(written, path)
            case list():
                return [self.part(below, (*path, index)) for index, below in enumerate(written)]
        return written

    def members(self, written: dict[str, Json], path: Path) -> dict[str, object]:
        """All arguments, or the members of one. Their names are sent as they stand."""
        self.doubts += [ArgumentFault((*path, key), _NO_KEY) for key in written if _IN_KEY.search(key)]
        return {key: self.part(below, (*path, key)) for key, below in written.items()}

    def _text(self, text: str, path: Path) -> object:
        if not _MARKED.search(text):
            self._measure(text, path)
            return text
        before, self._names_left = self._names_left, self._names_left - max(1, count_names(text))
        if self._names_left < 0:
            if before >= 0:
                self._fault(path, f"The arguments have at most {ARGUMENTS_NAMES:,} names and filters, all together.")
            return text
        template = read_template(text, self._place, self._schema)
        if isinstance(template, list):
            self._faults += [ArgumentFault(path, slip.detail) for slip in template]
            return text
        self.doubts += [ArgumentFault(path, doubt.detail) for doubt in template.doubts]
        self.template_bytes += size(text)
        self._try(template, path)
        return template

    def _fault(self, path: Path, detail: str) -> None:
        self._faults.append(ArgumentFault(path, detail))

    def _try(self, template: Template, path: Path) -> None:
        """Render what reads no input over the sample. # AUTO: Templates and pointers"""
        self._varies = self._varies or bool(template.reads & self._place.varying)
        if "input" in template.reads:
            return
        try:
            value = template.value(self._place.sample, ARGUMENTS_BYTES, self._meter)
            self._sample_bytes += self._measure(value, path)
        except Overflow:
            self._too_long.append(ArgumentFault(path, _ALONE))
        except RenderRefused as refusal:
            if is_settled(refusal, template, self._place):
                self._fault(path, refusal.detail)

    def _measure(self, value: Json, path: Path) -> int:
        taken = _bytes(value)
        if taken > ARGUMENTS_BYTES:
            self._too_long.append(ArgumentFault(path, _ALONE))
        return taken

    def all_faults(self, fixed_bytes: int) -> list[ArgumentFault]:
        """All that is wrong. How much there is counts only where nothing read varies. # AUTO: Bounds"""
        if self._faults or self._varies:
            return self._faults
        if not self._too_long and fixed_bytes + self._sample_bytes > ARGUMENTS_BYTES:
            return [ArgumentFault((), _TOGETHER)]
        return self._too_long


def _bytes(value: Json) -> int:
    """What a value takes as JSON. Raises RenderRefused for what JSON or a store cannot hold."""
    try:
        text = compact(value)
        taken = len(text.encode())
    except (ValueError, RecursionError):
        raise RenderRefused("invalid_input", "It is no value that JSON can hold.", "/input") from None
    if _NUL.search(text):
        raise RenderRefused("unworkable", "It has a text with a NUL.")
    return taken
