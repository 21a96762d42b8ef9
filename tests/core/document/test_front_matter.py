"""Front matter: where it begins and ends, the line of everything in it, and what YAML a document may not use."""

import pytest
import yaml

from sayso.core.document import yaml_reading
from sayso.core.document.faults import Fault, Faulty
from sayso.core.document.front_matter import FrontMatter, read


def refused(source: str) -> tuple[Fault, ...]:
    with pytest.raises(Faulty) as caught:
        read(source)
    return caught.value.faults


def faults(enclosed: str) -> list[tuple[int, str | None]]:
    return [(fault.line, fault.at) for fault in read(f"---\n{enclosed}\n---\n").faults]


@pytest.mark.parametrize(
    "source",
    [
        "---\na: 1\n---\nHello\n",
        "\ufeff---\na: 1\n---\nHello\n",
        "\ufeff\ufeff---\na: 1\n---\nHello\n",
        "---\r\na: 1\r\n---\r\nHello\r\n",
        "--- \t\na: 1\n---\t \nHello\n",
        "---\ra: 1\r---\rHello\r",
    ],
)
def test_dashes_enclose_the_front_matter(source: str) -> None:
    front = read(source)
    assert (front.fields, front.body, front.body_line) == ({"a": 1}, "Hello\n", 4)


def test_a_document_may_end_with_its_dashes() -> None:
    front = read("---\na: 1\n---")
    assert (front.body, front.body_line) == ("", 4)


@pytest.mark.parametrize(
    "source", ["", "Hello", " ---\na: 1\n---\n", "----\na: 1\n---\n", "---\na: 1\n", "---", "---\na: 1\n --- \n"]
)
def test_without_them_nothing_is_read(source: str) -> None:
    (fault,) = refused(source)
    assert (fault.line, fault.at) == (1, None)


@pytest.mark.parametrize("enclosed", ["", "# a comment", "null", "- a", "text", "3"])
def test_it_is_a_mapping(enclosed: str) -> None:
    (fault,) = refused(f"---\n{enclosed}\n---\n")
    assert (fault.line, fault.at) == (2, None)


def test_every_key_and_item_keeps_its_line() -> None:
    front = read("---\n# first\na:\n  b: 1\n  c:\n    - x\n    - {d: 2,\n       e: 3}\nf: |\n  one\n\ng: 4\n---\n")
    lines = {
        ("a",): 3,
        ("a", "b"): 4,
        ("a", "c", 0): 6,
        ("a", "c", 1, "d"): 7,
        ("a", "c", 1, "e"): 8,
        ("f",): 9,
        ("g",): 12,
    }
    assert {path: front.line(path) for path in lines} == lines
    assert front.line(("a", "c", 1, "gone", 5)) == 7
    assert front.line(("gone",)) == 2


def test_keys_are_texts_and_quoted_values_too() -> None:
    front = read("---\n1: a\n~: b\ntrue: c\n'<<': d\nf: '1'\ng: \"true\"\nh: yes\ni: |-\n  3\n---\n")
    assert front.fields == {"1": "a", "~": "b", "true": "c", "<<": "d", "f": "1", "g": "true", "h": "yes", "i": "3"}


def test_only_line_feeds_break_lines() -> None:
    front = read('---\na: x\u2028y\u2029z\nb: "p\x85q"\nc: 1\n---\n')
    assert front.fields == {"a": "x\u2028y\u2029z", "b": "p\x85q", "c": 1}
    assert front.line(("c",)) == 4


@pytest.mark.parametrize(
    ("enclosed", "found"),
    [
        ("a: &x 1", [(2, "/a")]),
        ("a: 1\nb: *x", [(3, "/b")]),
        ("a: !!str 1", [(2, "/a")]),
        ("a: ! b", [(2, "/a")]),
        ("&k a: 1", [(2, "/a")]),
        ("a:\n  <<: {b: 1}\n  c: 2", [(3, "/a/<<")]),
        ("a: 1\nb: 2\na: {c: [3]}", [(4, "/a")]),
        ("a:\n  b~/: 1\n  b~/: 2", [(4, "/a/b~0~1")]),
        ("a: [1, .nan]", [(2, "/a/1")]),
        ("? [x]\n: y\na: 1", [(2, None)]),
        ("a: {{ input.x }}", [(2, "/a")]),
        ("*x : 1", [(2, None)]),
        ('a: "b\\0c"\n"\\0": 1', [(2, "/a"), (3, None)]),
        ("a: &x 1\nb: *x\nb: 2\nc: .inf", [(2, "/a"), (3, "/b"), (4, "/b"), (5, "/c")]),
    ],
)
def test_what_is_not_taken_is_told_of_at_its_line_and_reading_goes_on(
    enclosed: str, found: list[tuple[int, str | None]]
) -> None:
    assert faults(enclosed) == found


def test_the_first_of_two_equal_keys_stands() -> None:
    assert read("---\na: 1\na: 2\n---\n").fields == {"a": 1}


@pytest.mark.parametrize(
    ("enclosed", "line"),
    [
        ("a: 1\nb: 'x\nc: 2", 3),
        ("a: 1\nb: c: d", 3),
        ("a: 1\n\tb: 2", 3),
        ("a: 1\n...\nb: 2", 4),
        ("a: 1\n--- b", 3),
        ("a: [" + "[" * 50_000, 2),
        ("a:\n  b: " + "[" * 80, 3),
        ("a: 1\nb: \x07", 3),
        ("a: 1\nb: \x7f", 3),
    ],
)
def test_where_yaml_cannot_be_read_its_line_is_told(enclosed: str, line: int) -> None:
    assert refused(f"---\n{enclosed}\n---\n")[-1].line == line


def test_faults_before_the_unreadable_place_are_kept() -> None:
    assert [fault.line for fault in refused("---\na: &x 1\nb: 'x\n---\n")] == [2, 3]


@pytest.mark.parametrize(("body", "line"), [("\ud800", 4), ("a\n\x00", 5)])
def test_what_no_store_can_keep_is_refused_anywhere(body: str, line: int) -> None:
    (fault,) = refused(f"---\na: 1\n---\n{body}")
    assert fault.line == line


def test_control_characters_of_the_body_are_the_authors_affair() -> None:
    assert read("---\na: 1\n---\n\x07").body == "\x07"


def test_a_document_is_bounded_in_bytes() -> None:
    start = "---\na: 1\n---\n"
    assert read(start + "x" * (65_536 - len(start))).fields == {"a": 1}
    (fault,) = refused(start + "é" * 32_768)
    assert fault.line == 1


def test_damage_below_a_path_damages_it_and_not_its_neighbours() -> None:
    front: FrontMatter = read("---\na:\n  b: *x\nab: 1\n---\n")
    assert front.is_damaged(("a",))
    assert front.is_damaged(("a", "b"))
    assert not front.is_damaged(("ab",))


def test_the_parser_in_python_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    source = '---\na: &x 1\nb: {c: [yes, "\\0"], d: "\\ud800"}\nb: 2\n? [e]\n: f\n---\n'
    fast = faults('a: &x 1\nb: {c: [yes, "\\0"]}\nb: 2\n? [e]\n: f')
    monkeypatch.setattr(yaml_reading, "Loader", yaml.SafeLoader)
    assert faults('a: &x 1\nb: {c: [yes, "\\0"]}\nb: 2\n? [e]\n: f') == fast
    assert [(fault.line, fault.at) for fault in read(source).faults][2] == (3, "/b/d")
