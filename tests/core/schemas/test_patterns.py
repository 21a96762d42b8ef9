"""What a regular expression weighs: the places where a search may be at once."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.bounds import SCHEMA_WORK
from sayso.core.schemas.patterns import TOO_MUCH, weight
from sayso.core.schemas.schema import Schema, compile_schema

LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
WHOLE = r"(0|[1-9]\d*)"
PART = r"0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*"
ORDINARY = (
    r"^[^@\s]+@[^@\s]+\.[^@\s]+$",
    r"^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$",
    rf"^[a-zA-Z0-9.!#$%&'*+/=?^_`{{|}}~-]+@{LABEL}(?:\.{LABEL})*$",
    rf"^(?:{LABEL}\.)+[a-zA-Z]{{2,63}}$",
    r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$",
    r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$",
    r"^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$",
    r"^-?\d{1,12}(\.\d{1,2})?$",
    r"^(0|[1-9]\d{0,2}(,\d{3})*)(\.\d{2})?$",
    r"^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$",
    r"^[A-Z]{2}[0-9]{2}(?:[ ]?[0-9A-Z]{4}){2,7}(?:[ ]?[0-9A-Z]{1,3})?$",
    r"^\+?[1-9]\d{1,14}$",
    r"^\+?[0-9 ()/.-]{6,25}$",
    r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
    rf"^{WHOLE}\.{WHOLE}\.{WHOLE}(?:-((?:{PART})(?:\.(?:{PART}))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$",
    r"^.{1,900}$",
    r"^a{0,900}$",
    r"^[\s\S]{1,2000}$",
    r"^[\p{L} '-]{1,200}$",
    r"^\p{Lu}[\p{L}\p{M} .'-]*$",
    r"^https?://[^\s/$.?#].[^\s]*$",
    r"^https?:\/\/(www\.)?[-a-zA-Z0-9@:%._\+~#=]{1,256}\.[a-zA-Z0-9()]{1,6}\b([-a-zA-Z0-9()@:%_\+.~#?&\/\/=]*)$",
    r"^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$",
    r"^([0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}$",
    r"^[a-z0-9]+(?:-[a-z0-9]+)*$",
    r"^#(?:[0-9a-fA-F]{3}){1,2}$",
    r"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
    r"^[A-Z]{2,10}-\d{1,6}$",
    r"^(\w+\s?){1,20}$",
    r"\b[0-9a-f]{64}\b",
    r"\.(pdf|docx?|xlsx?)$",
    r"\S",
    r"^(yes|no)$|^maybe$",
)


@pytest.mark.parametrize("pattern", ORDINARY)
def test_what_people_write_is_taken(pattern: str) -> None:
    assert weight(pattern) <= SCHEMA_WORK
    found = compile_schema({"type": "object", "properties": {"of": {"items": {"type": "string", "pattern": pattern}}}})
    assert isinstance(found, Schema), found


@given(st.lists(st.sampled_from(ORDINARY), min_size=1, max_size=40, unique=True))
def test_a_member_each_they_are_taken_together(patterns: list[str]) -> None:
    members = {f"m{number}": {"type": "string", "pattern": pattern} for number, pattern in enumerate(patterns)}
    assert isinstance(compile_schema({"type": "object", "properties": members}), Schema)


@pytest.mark.parametrize(
    ("pattern", "places"),
    [
        ("", 2),  # the engine is on its way into the whole, and out of it
        ("^abc$", 3),
        ("abc", 5),
        ("^a{0,900}$", 4),
        ("^a{20,}$", 4),
        ("^x*a{200}", 204),
        ("^(?:ab|cd|e)f", 7),
        ("^(ab){7}c", 9),
        (r"^\p{L}[^\P{Lu}]x", 10),
        (r"^[\]{9}](?<n>\{)\u{61}\x61\ca[a-z\]|()]", 5),
        ("a|^b|^c", 5),
    ],
)
def test_a_place_counts_when_a_search_may_be_at_it(pattern: str, places: int) -> None:
    assert weight(pattern) == places


@pytest.mark.parametrize(
    "pattern",
    [
        "(a{1,900}){1,900}b",
        "^(a{1,900}){1,900}b",
        "((((a{1,99}){1,99}){1,99}){1,99}){1,99}",
        "a{0,900}b",
        ".*.{300}",
        "^(?:a?){300}$",
        "((a*)*b*){200}",
        r"\p{L}{40}",
        "(a|b){99999999}",
        "a{1,99999999}",
        "(" * 60 + "(?:a|b){150}" + "x)" * 60,
    ],
)
def test_exponential_and_expensive_patterns_weigh_too_much(pattern: str) -> None:
    assert weight(pattern) == TOO_MUCH


@pytest.mark.parametrize("pattern", ["(", ")", "a)", "(?=a", "*", "a{", "[", "a{2}{3}", "\\", "(?"])
def test_what_is_no_expression_can_be_weighed(pattern: str) -> None:
    assert weight(pattern) <= TOO_MUCH


# The same told in another way: by what of an expression is left to be found after a text (Antimirov's derivatives).
Tree = tuple[Any, ...]
EMPTY: Tree = ("all", ())
TREES = st.recursive(
    st.sampled_from("abc").map(lambda letter: ("letter", letter)),
    lambda tree: st.one_of(
        st.tuples(st.just("all"), st.lists(tree, max_size=3).map(tuple)),
        st.tuples(st.just("any"), st.lists(tree, min_size=1, max_size=3).map(tuple)),
        st.tuples(st.just("times"), tree, st.integers(0, 3), st.sampled_from([None, 3, 5])),
    ),
    max_leaves=8,
)


def written(tree: Tree) -> str:
    match tree:
        case ("letter", letter):
            return str(letter)
        case ("all", parts):
            return "".join(written(part) for part in parts)
        case ("any", parts):
            return f"(?:{'|'.join(written(part) for part in parts)})"
        case ("times", part, least, most):
            return f"(?:{written(part)}){{{least},{'' if most is None else most}}}"
    raise AssertionError(tree)


def may_be_empty(tree: Tree) -> bool:
    match tree:
        case ("all", parts):
            return all(may_be_empty(part) for part in parts)
        case ("any", parts):
            return any(may_be_empty(part) for part in parts)
        case ("times", part, least, _):
            return least == 0 or may_be_empty(part)
    return False


def all_of(*parts: Tree) -> Tree:
    flat = [one for part in parts for one in (part[1] if part[0] == "all" else (part,))]
    return flat[0] if len(flat) == 1 else ("all", tuple(flat))


def left(tree: Tree, letter: str) -> Iterator[Tree]:
    match tree:
        case ("letter", this) if this == letter:
            yield EMPTY
        case ("all", (first, *rest)):
            yield from (all_of(after, *rest) for after in left(first, letter))
            if may_be_empty(first):
                yield from left(all_of(*rest), letter)
        case ("any", parts):
            yield from (after for part in parts for after in left(part, letter))
        case ("times", part, least, most) if most != 0:
            again = ("times", part, max(least - 1, 0), most if most is None else most - 1)
            yield from (all_of(after, again) for after in left(part, letter))


@given(TREES, st.text("abc", min_size=1, max_size=12), st.booleans())
def test_no_search_is_at_more_places_than_are_weighed(tree: Tree, text: str, anchored: bool) -> None:
    at = {tree}
    most = weight(("^" if anchored else "") + f"(?:{written(tree)})")
    for letter in text:
        at = {after for one in at for after in left(one, letter)} | (set() if anchored else {tree})
        assert len(at) <= most
