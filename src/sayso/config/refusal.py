"""A setting that cannot be: named with its place, and never with its value, maybe a secret put there by mistake."""

from typing import NamedTuple, Self

Path = tuple[str | int, ...]


class Place(NamedTuple):
    """Where something is written: the file as it was named, line and column from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Unfit(Exception):
    """A value that a setting does not take: what it needs to be, and where within the value the fault is."""

    def __init__(self, needs: str, path: Path = ()) -> None:
        super().__init__(needs)
        self.needs = needs
        self.path = path


class BadSetting(Exception):
    """A setting that stops the start. ``setting`` is its name in the environment; ``place`` is where a file has it."""

    def __init__(self, setting: str, needs: str, path: Path = (), place: Place | None = None) -> None:
        named = f"{setting if place is None else setting.lower()}{_within(path)}"
        super().__init__(f"{named} {needs}." if place is None else f"{place}: {named} {needs}.")
        self.setting = setting
        self.needs = needs
        self.path = path
        self.place = place

    def at(self, place: Place | None) -> Self:
        """The same of a value that a file has."""
        return type(self)(self.setting, self.needs, self.path, place)


class BadFile(BadSetting):
    """A fault of the configuration file that is no one setting's."""

    def __init__(self, detail: str, place: Place | None = None) -> None:
        super().__init__("CONFIG_FILE", detail, (), place)
        self.args = (f"CONFIG_FILE {detail}." if place is None else f"{place}: {detail}",)


def _within(path: Path) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
