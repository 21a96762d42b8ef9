"""The log: a line each, JSON for programs and words for people, and in neither a secret or what a person wrote.

Of an exception its kind and where it came from are told. Its words are left out unless they are ours, since those of
others repeat the values that they were given: an input, an answer, an address with a password.
"""

import logging
import re
import time
import traceback
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, TextIO

from sayso.core import values
from sayso.errors import Problem
from sayso.ports import StoreError

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}

# What is hidden wherever it stands: a key's secret part, any bearer token, and what a URL has before its host.
_SECRETS = re.compile(
    r"(?P<key>say_[a-z][a-z0-9-]{0,47}_)[A-Za-z0-9_-]{43}|(?P<bearer>\b(?i:bearer) +)[^\s\"',]+|(?P<url>://)[^/\s\"']+@"
)
_FRAMES = 30


def start(stream: TextIO, *, level: str, form: str | None) -> None:
    """Write the process's log to a stream; without a form, words at a terminal and JSON elsewhere."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Pretty() if (form or _fitting(stream)) == "pretty" else Lines())
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
    root.addHandler(handler)
    set_level(level)
    # What no line tells need not be gathered for each.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    if hasattr(logging, "logAsyncioTasks"):  # from Python 3.12 on
        logging.logAsyncioTasks = False


def set_level(level: str) -> None:
    """Let only lines of this level and above be written from now on."""
    logging.getLogger().setLevel(LEVELS[level])
    # What libraries say below a warning is about themselves.
    for name in ("asyncio", "httpx2", "uvicorn"):
        logging.getLogger(name).setLevel(max(LEVELS[level], logging.WARNING))


def _fitting(stream: TextIO) -> str:
    return "pretty" if stream.isatty() else "json"


class Lines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        line: dict[str, Any] = {
            "time": _moment(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line.update(getattr(record, "fields", {}))
        if record.exc_info and record.exc_info[1] is not None:
            line["exception"] = list(_told(record.exc_info[1]))
        return hidden(values.compact(line))


class Pretty(logging.Formatter):
    """A line that a person reads, and below it where an exception came from."""

    def format(self, record: logging.LogRecord) -> str:
        """The lines of a record."""
        fields = getattr(record, "fields", {})
        who = f" {fields['caller']}" if fields.get("caller") else ""
        message = record.getMessage().replace("\n", "\\n")
        lines = [f"{_moment(record.created)} {record.levelname} {record.name}: {message}{who}"]
        if record.exc_info and record.exc_info[1] is not None:
            lines += [f"  {one}" for one in _told(record.exc_info[1])]
        return hidden("\n".join(lines))


def hidden(text: str) -> str:
    """The text without secrets of a known form."""
    may_hold = "say_" in text or "://" in text or "bearer" in text.lower()
    return _SECRETS.sub(_hide, text) if may_hold else text


def _hide(found: re.Match[str]) -> str:
    return f"{found['key'] or found['bearer'] or found['url']}[hidden]{'@' if found['url'] else ''}"


def _moment(at: float) -> str:
    return f"{_second(int(at))}.{int(at % 1 * 1000):03d}Z"


@lru_cache(maxsize=2)  # many lines are of one second
def _second(at: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at))


def _told(fault: BaseException) -> Iterator[str]:
    """The kind of an exception, those before it, and the last places that each came through."""
    seen: set[int] = set()
    cause: BaseException | None = fault
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield _kind(cause)
        for frame in traceback.extract_tb(cause.__traceback__)[-_FRAMES:]:
            yield f"at {frame.filename}:{frame.lineno} in {frame.name}"
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)


def _kind(fault: BaseException) -> str:
    name = type(fault).__name__
    if isinstance(fault, StoreError):  # its words are made here, of nothing that a person wrote
        return f"{name}: {fault}"
    if isinstance(fault, Problem):  # its words may quote what was sent
        return f"{name}: {fault.reason}"
    return f"{name}: {fault.strerror}" if isinstance(fault, OSError) and fault.strerror else name
