"""The configuration file: YAML 1.2 whose keys are settings, with every fault at its line and column.

Reading goes on after a fault, so that a check tells all of them. A start takes none: the first one stops it.
"""

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from sayso.config import filling
from sayso.config.refusal import BadFile, BadSetting, Path, Place, Unfit
from sayso.config.table import BY_KEY, Setting
from sayso.core.bounds import CONFIG_FILE_BYTES
from sayso.core.document import yaml_reading
from sayso.core.document.faults import Faulty
from sayso.core.document.yaml_reading import UNTYPED, Reading
from sayso.core.document.yaml_words import CLOSE_IT
from sayso.core.values import Json

KEY_SHOWN = 64

# A password where a URL has one, or its options.
_PASSWORD = re.compile(r"://[^/?#@:]*:([^/?#@]+)@|[?&]password=([^&]+)")


@dataclass(kw_only=True)
class Look:
    """What a file says: a value a field, the place of each setting, and every fault, in the order of lines."""

    values: dict[str, Any] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    faults: list[BadSetting] = field(default_factory=list)


def look(file: FilePath, environ: Mapping[str, str]) -> Look:
    """Read the file, and see what is wrong with it."""
    found = Look()
    try:
        reading = _reading(file, _text(file))
    except BadSetting as fault:
        found.faults.append(fault)
    except Faulty as faulty:
        found.faults.extend(_unread(file, faulty))
    else:
        found.faults.extend(_unread(file, Faulty(reading.faults)) if reading.faults else ())
        _take(found, _Written(file, reading), environ)
    found.faults.sort(key=lambda fault: fault.place or Place("", 0, 0))
    return found


def read(file: FilePath, environ: Mapping[str, str]) -> Look:
    """Read a file without faults. Raises the first that it has."""
    found = look(file, environ)
    if found.faults:
        raise found.faults[0]
    return found


def _text(file: FilePath) -> str:
    """The file's text, once it is known to be no larger than anybody meant."""
    try:
        with file.open("rb") as opened:
            written = opened.read(CONFIG_FILE_BYTES + 1)
    except OSError as fault:
        raise BadFile(f"names no file that can be read: {fault.strerror}") from None
    if len(written) > CONFIG_FILE_BYTES:
        raise BadFile(f"The file is larger than {CONFIG_FILE_BYTES:,} bytes.", Place(str(file), 1, 1))
    try:
        text = written.decode().lstrip("\ufeff")
    except UnicodeDecodeError as fault:
        line = written.count(b"\n", 0, fault.start) + 1
        raise BadFile("The file is not UTF-8 here.", Place(str(file), line, 1)) from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if odd := UNTYPED.search(text):
        line, column = text.count("\n", 0, odd.start()) + 1, odd.start() - text.rfind("\n", 0, odd.start())
        raise BadFile(f"The character U+{ord(odd[0]):04X} cannot be part of it.", Place(str(file), line, column))
    return text


def _reading(file: FilePath, text: str) -> Reading:
    reading = yaml_reading.read(text, 1, "file")
    if reading.value is not None and not isinstance(reading.value, dict):
        raise BadFile("The file is written as keys with values, as in port: 8080.", Place(str(file), 1, 1))
    return reading


def _unread(file: FilePath, faulty: Faulty) -> Iterator[BadSetting]:
    """The faults that the reading of YAML found; the advice for a document with a message below it is left out."""
    for fault in faulty.faults:
        yield BadFile(fault.detail.replace(f" {CLOSE_IT}", ""), Place(str(file), fault.line, fault.column))


class _Written:
    """A file that was read, and where in it everything stands."""

    def __init__(self, file: FilePath, reading: Reading) -> None:
        self._file = str(file)
        self._reading = reading
        self.members: dict[str, Json] = reading.value or {}
        self.faulty = {fault.path[:1] for fault in reading.faults}

    def place(self, path: Path) -> Place:
        """Where a path stands, or what is nearest above it."""
        while path not in self._reading.lines:
            path = path[:-1]
        return Place(self._file, self._reading.lines[path], self._reading.columns[path])


def _take(found: Look, written: _Written, environ: Mapping[str, str]) -> None:
    for key, value in written.members.items():
        setting = BY_KEY.get(key)
        if setting is None:
            found.faults.append(BadFile(_unknown(key), written.place((key,))))
            continue
        found.places[setting.name] = written.place((key,))
        if (key,) in written.faulty:
            continue
        try:
            if (taken := _value(setting, value, environ)) is not None:
                found.values[setting.field] = taken
        except Unfit as fault:
            place = written.place((key, *fault.path))
            found.faults.append(BadSetting(setting.name, fault.needs, fault.path, place))


def _value(setting: Setting, written: Json, environ: Mapping[str, str]) -> Any:
    """The value of a setting. Where a reference stands for all of it, it is read as the variable would be, and so None
    if it is empty."""
    if written is None or written == "":
        raise Unfit("has no value: give it one, or leave it out")
    if setting.is_secret and isinstance(written, str):
        _refuse_literal(written)
    given = filling.filled(written, environ)
    is_filled = isinstance(written, str) and filling.has_reference(written)
    if given == "":
        return None
    value = setting.kind.from_text(given) if is_filled else setting.kind.from_json(given)
    setting.kind.check(value)
    return value


def _refuse_literal(written: str) -> None:
    """A password stands in the environment: whoever may read the file need not know it."""
    for found in _PASSWORD.finditer(written):
        if not filling.has_reference(found[1] or found[2]):
            raise Unfit("holds a password: write ${NAME} in its place, and set that in the environment")


def _unknown(key: str) -> str:
    near = difflib.get_close_matches(key, BY_KEY, 1)
    if key == "config_file":
        return "config_file cannot be set in the file itself."
    advice = f" Did you mean {near[0]}?" if near else ""
    return f"{key[:KEY_SHOWN]!r} is no setting.{advice}"
