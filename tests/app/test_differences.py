"""Differences: what two sources do not share, field by field and line by line, within a bounded work."""

import pytest

from sayso.app.differences import changed, unified

OLD = "---\nto: the editor\nexpires: P1D\nreply: { verdict: word }\n---\nShall it go out?\n"
NO_REPLY = OLD.replace("reply: { verdict: word }\n", "")


@pytest.mark.parametrize(
    ("new", "words"),
    [
        (OLD, []),
        (OLD.replace("P1D", "P2D"), ["expires changed"]),
        (NO_REPLY.replace("expires", "from: the chief\nexpires"), ["from added", "reply removed"]),
        (OLD.replace("go out", "leave"), ["message changed"]),
        (OLD.replace("{ verdict: word }", "\n  verdict: 'word' # the first one"), []),
        ("---", ["a version cannot be read any more, so only its lines are compared"]),
    ],
)
def test_what_changed_is_told_by_field(new: str, words: list[str]) -> None:
    assert changed(OLD, new) == words


def test_true_is_not_one() -> None:
    one, true = (OLD.replace("{ verdict: word }", f"{{ verdict: {value} }}") for value in ("1", "true"))
    assert changed(one, true) == ["reply changed"]


def test_equal_sources_have_no_diff() -> None:
    assert unified(OLD, OLD, "a", "b") == ""


def test_a_diff_has_its_names_its_places_and_three_lines_around() -> None:
    old = "".join(f"{n}\n" for n in range(1, 21))
    new = old.replace("3\n", "three\n", 1).replace("17\n", "", 1) + "21\n"
    assert unified(old, new, "offer version 1", "offer version 2").splitlines() == [
        *("--- offer version 1", "+++ offer version 2"),
        *("@@ -1,6 +1,6 @@", " 1", " 2", "-3", "+three", " 4", " 5", " 6"),
        *("@@ -14,7 +14,7 @@", " 14", " 15", " 16", "-17", " 18", " 19", " 20", "+21"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "hunk"),
    [
        ("a\n", "a", "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"),
        ("", "a\n", "@@ -0,0 +1 @@\n+a\n"),
        ("a\u2028\n", "a\u2028b\n", "@@ -1 +1 @@\n-a\u2028\n+a\u2028b\n"),
    ],
)
def test_ends_of_texts_and_of_lines_are_shown_as_they_are(old: str, new: str, hunk: str) -> None:
    assert unified(old, new, "x", "y") == f"--- x\n+++ y\n{hunk}"


def test_what_costs_too_much_to_compare_shows_its_equal_ends_and_the_rest_as_changed() -> None:
    words = [f"{n:x}" for n in range(9_000)]
    old = [word if n % 2 else f"x{word}" for n, word in enumerate(words)]
    new = [word if n % 2 else f"y{word}" for n, word in enumerate(words)]
    diff = unified("\n".join(old), "\n".join(new), "x", "y").splitlines()[2:]
    removed, added = ({line[1:] for line in diff if line[0] == mark} for mark in "-+")
    assert set(old) - set(new) <= removed < set(old)
    assert set(new) - set(old) <= added < set(new)


def test_one_line_among_many_that_repeat_is_found_by_the_equal_ends() -> None:
    old = [str(n % 110) for n in range(16_000)]
    new = [*old[:8_000], "changed", *old[8_001:]]
    diff = unified("\n".join(old), "\n".join(new), "x", "y").splitlines()[2:]
    assert [line for line in diff if line[0] in "-+"] == [f"-{old[8_000]}", "+changed"]
