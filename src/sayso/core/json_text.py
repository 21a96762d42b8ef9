"""JSON as text, read strictly: the same words mean the same value to everyone, or they are refused where they stand.

What is no JSON at all is a ``bad_request``. What is JSON but has no one meaning (a member twice, NaN, a number past
every double) or could not be stored and shown again (half a surrogate pair, NUL) is ``invalid_input``, each fault at
its pointer. Integers keep every digit up to 4,300 of them, the most that Python's own guard reads and writes.
"""

import json
import math
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice
from typing import NamedTuple, NoReturn

from sayso.core import bounds, pointers
from sayso.core.values import Json
from sayso.errors import Issue, Problem, Reason

INTEGER_DIGITS = 4_300
# The operation judges what an input or an answer may nest. This margin lets it, and keeps every reader from recursing
# further than Python allows.
DEPTH = bounds.JSON_DEPTH + 16

# Escapes of NUL and of halves of surrogate pairs. After a backslash of its own it may be none: then a second look
# finds nothing.
_DOUBTFUL_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")
# A text with its quotes. It may lack the last one, so that a hostile text is passed over once and not at every quote.
_TEXT = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_NESTING = re.compile(_TEXT.pattern + r"|[\[{]+|[\]}]+", re.DOTALL)
# Opening brackets become 1 and closing ones -1 as a signed byte.
_STEPS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[{]}"))


def parse(text: bytes) -> Json:
    """The value of a JSON text in UTF-8, or a Problem. Takes time in proportion to the text, however it nests."""
    characters = _decode(text)
    if _nests_too_deep(characters):
        raise _refusal([Issue(detail=f"This nests more than {bounds.JSON_DEPTH} levels.", pointer=_deep(characters))])
    try:
        value = _PLAIN.decode(characters)
    except json.JSONDecodeError as fault:
        raise _not_json(fault) from None
    except ValueError:
        # A hook below raised it, or Python's guard of long integers. Only the second look knows where.
        pass
    else:
        if not _DOUBTFUL_ESCAPE.search(characters):
            return value
    issues = _issues(characters)
    if issues:
        raise _refusal(issues)
    return value


def _decode(text: bytes) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError as fault:
        raise Problem(Reason.BAD_REQUEST, f"The body is not UTF-8: byte {fault.start} begins no character.") from None


def _not_json(fault: json.JSONDecodeError) -> Problem:
    where = f"line {fault.lineno}, column {fault.colno}"
    return Problem(Reason.BAD_REQUEST, f"The body is not JSON ({where}): {fault.msg}.")


def _refusal(issues: Sequence[Issue]) -> Problem:
    return Problem(
        Reason.INVALID_INPUT, f"The body holds what cannot be taken: {issues[0].detail}", issues=tuple(issues)
    )


# The first look: the standard library's reader, with hooks that stop it at the first doubt.


def _members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError
    return members


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError
    return number


def _constant(name: str) -> NoReturn:
    raise ValueError(name)


_PLAIN = json.JSONDecoder(object_pairs_hook=_members, parse_float=_finite, parse_constant=_constant)


# The second look, at a text in doubt: a tree that keeps every fault where it stands.


class _Fault(NamedTuple):
    detail: str


class _Members(NamedTuple):
    pairs: list[tuple[str, object]]


def _number_or_fault(digits: str) -> float | _Fault:
    number = float(digits)
    return _Fault("This number is larger than a double holds.") if math.isinf(number) else number


def _integer_or_fault(digits: str) -> int | _Fault:
    try:
        return int(digits)
    except ValueError:
        return _Fault(f"This number has more than {INTEGER_DIGITS} digits.")


_FAULTS = json.JSONDecoder(
    object_pairs_hook=_Members,
    parse_float=_number_or_fault,
    parse_int=_integer_or_fault,
    parse_constant=lambda name: _Fault(f"{name} is not a JSON number."),
)


class _Path(NamedTuple):
    """Where a value stands: its name or index in what holds it. Spelled as a pointer only for a fault."""

    within: "_Path | None"
    token: str | int

    def pointer(self) -> str:
        tokens: list[str | int] = []
        path: _Path | None = self
        while path is not None:
            tokens.append(path.token)
            path = path.within
        return _spell(tokens[::-1])


def _spell(tokens: list[str | int]) -> str:
    """A pointer that can be sent: of the last holder that fits, with U+FFFD for what no text may hold."""
    lengths = accumulate(len(str(token)) + 1 for token in tokens)
    fitting = sum(length <= pointers.SHOWN_CHARACTERS for length in lengths)
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", pointers.join(tokens[:fitting]))


def _issues(characters: str) -> list[Issue]:
    """The faults of a text, in its order; past 20, one more says that there are more."""
    try:
        tree = _FAULTS.decode(characters)
    except json.JSONDecodeError as fault:
        raise _not_json(fault) from None
    issues = list(islice(_faults(tree), bounds.ISSUES_SHOWN + 1))
    if len(issues) > bounds.ISSUES_SHOWN:
        issues[-1] = Issue(detail="There are more faults, not shown.", pointer="")
    return issues


def _faults(tree: object) -> Iterator[Issue]:
    """Every fault, the shallow ones first."""
    if isinstance(tree, (str, _Fault)):
        yield from _leaf_faults(None, tree)
    waiting: deque[tuple[_Path | None, object]] = deque([(None, tree)])
    while waiting:
        within, holder = waiting.popleft()
        if isinstance(holder, _Members):
            yield from _name_faults(within, holder)
        for token, value in _held(holder):
            if isinstance(value, (list, _Members)):
                waiting.append((_Path(within, token), value))
            elif isinstance(value, (str, _Fault)):
                yield from _leaf_faults(_Path(within, token), value)


def _held(holder: object) -> Iterable[tuple[str | int, object]]:
    if isinstance(holder, _Members):
        return holder.pairs
    return enumerate(holder) if isinstance(holder, list) else ()


def _leaf_faults(path: _Path | None, leaf: str | _Fault) -> Iterator[Issue]:
    if isinstance(leaf, _Fault):
        yield _issue(path, leaf.detail)
    elif _UNWRITABLE.search(leaf):
        yield _issue(path, _unwritable("text"))


def _name_faults(within: _Path | None, members: _Members) -> Iterator[Issue]:
    for name, times in Counter(name for name, _ in members.pairs).items():
        if _UNWRITABLE.search(name):
            yield _issue(_Path(within, name), _unwritable("name"))
        if times > 1:
            yield _issue(_Path(within, name), "This member is given more than once.")


def _issue(path: _Path | None, detail: str) -> Issue:
    return Issue(detail=detail, pointer="" if path is None else path.pointer())


def _unwritable(what: str) -> str:
    return f"This {what} holds a NUL or half of a surrogate pair, which no text may."


# Depth, judged before anything recurses.


def _nests_too_deep(characters: str) -> bool:
    if characters.count("[") + characters.count("{") <= DEPTH:
        return False
    # A lone surrogate cannot be here: the text was UTF-8.
    brackets = _TEXT.sub("", characters).encode().translate(_STEPS, delete=_NO_BRACKETS)
    return max(accumulate(memoryview(brackets).cast("b")), default=0) > DEPTH


def _deep(characters: str) -> str:
    """The pointer of the top-level member that nests too deep; of the whole where that is no object. One does."""
    depth, name, text = 0, None, None
    tokens = _NESTING.finditer(characters)
    while depth <= DEPTH:
        token = next(tokens)[0]
        if token[0] == '"':
            text = token
        elif token[0] in "]}":
            depth -= len(token)
        else:
            # The text last met before a member's value opens is that member's name.
            name = text if depth <= 1 else name
            depth += len(token)
    return "" if name is None else _named(name)


def _named(quoted: str) -> str:
    try:
        return _spell([json.loads(quoted)])
    except json.JSONDecodeError:
        return ""
