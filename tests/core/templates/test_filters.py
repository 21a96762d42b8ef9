"""Filters: those that are kept, over values as JSON has them."""

import pytest

from sayso.core.templates.filters import FILTERS, apply
from sayso.core.templates.rendering import Meter, RenderRefused
from sayso.core.values import Json

KEPT = """
abs append array_to_sentence_string at_least at_most base64_decode base64_encode capitalize ceil compact
concat default divided_by downcase escape escape_once find find_index first floor group_by has join json last
lstrip map minus modulo newline_to_br normalize_whitespace number_of_words plus pop prepend push raw reject
remove remove_first remove_last replace replace_first replace_last reverse round rstrip shift size slice
slugify sort sort_natural split squish strip strip_newlines sum times to_integer truncate truncatewords uniq
unshift upcase where xml_escape
"""

ROWS = [{"k": 1, "n": "a"}, {"k": 2, "n": "b"}, {"k": 1, "n": "c"}, {"n": "d"}]


def test_these_are_all() -> None:
    assert sorted(FILTERS) == sorted(KEPT.split())


@pytest.mark.parametrize(
    ("value", "name", "given", "result"),
    [
        *[
            (True, "append", ["!"], "true!"),
            (None, "append", [5.0], "5"),
            ("a", "prepend", [None], "a"),
            ("Ab", "upcase", [], "AB"),
        ],
        *[
            ("a,b", "split", [","], ["a", "b"]),
            ("abcdef", "truncate", [4], "a..."),
            ("a b c", "truncatewords", [2, "…"], "a b…"),
        ],
        *[
            ("aXbX", "replace", ["X", "-"], "a-b-"),
            ("ab", "replace", ["", "-"], "-a-b-"),
            ("aa", "replace_first", ["a", "b"], "ba"),
        ],
        *[("YQ==", "base64_decode", [], "a"), ("é", "base64_encode", [], "w6k="), ("<&", "escape", [], "&lt;&amp;")],
        *[
            ("<'", "xml_escape", [], "&lt;&apos;"),
            (" a \n b", "normalize_whitespace", [], " a b"),
            (" a  b ", "squish", [], "a b"),
        ],
        *[("a b\nc", "number_of_words", [], 3), ("A É_b!", "slugify", [], "a-é-b"), ("A É", "slugify", ["ascii"], "a")],
        *[
            ("A É", "slugify", ["latin", True], "A-E"),
            ("A/B_c", "slugify", ["pretty"], "a-b_c"),
            ("A b", "slugify", ["raw"], "a-b"),
        ],
        *[
            ("A b", "slugify", ["none"], "A b"),
            ("5.7", "to_integer", [], 5),
            ("12", "to_integer", [], 12),
            (3.9, "to_integer", [], 3),
        ],
        *[
            (4, "to_integer", [], 4),
            ("3", "plus", [4], 7),
            (3, "times", [1.5], 4.5),
            (7, "divided_by", [2], 3),
            (7, "modulo", [4], 3),
        ],
        *[
            (-3, "abs", [], 3),
            (2.5, "ceil", [], 3),
            (2.567, "round", [1], 2.6),
            (2.5, "round", [], 3),
            (-2.5, "round", [], -3),
            (1.005, "round", [2], 1.01),
            (2.5, "round", [-1], 0),
            (7, "round", [2], 7),
            (1e300, "round", [2], 1e300),
            (2.0**60, "round", [], 2**60),
            (0.25, "round", [400], 0.25),
            (5, "at_most", [3], 3),
            (5, "minus", ["1"], 4),
        ],
        *[
            ([3, 1, 2], "sort", [], [1, 2, 3]),
            (["b", "A"], "sort_natural", [], ["A", "b"]),
            ([1, 2], "reverse", [], [2, 1]),
        ],
        *[
            ([1, None], "compact", [], [1]),
            ([1], "concat", [[2]], [1, 2]),
            ([1, 2], "first", [], 1),
            ([1, 2], "last", [], 2),
        ],
        *[
            ({"a": 1}, "first", [], ["a", 1]),
            (None, "first", [], None),
            (None, "join", [], ""),
            ([1, True, None], "join", ["-"], "1-true-"),
        ],
        *[("a", "join", [], "a"), (range(1, 4), "join", [], "1 2 3"), ([], "array_to_sentence_string", [], "")],
        *[(["a"], "array_to_sentence_string", [], "a"), (["a", "b"], "array_to_sentence_string", ["or"], "a or b")],
        *[
            (["a", "b", "c"], "array_to_sentence_string", [], "a, b, and c"),
            ([1, 1.0, "1", 2], "uniq", [], [1, "1", 2]),
        ],
        *[
            (ROWS, "uniq", ["k"], [ROWS[0], ROWS[1], ROWS[3]]),
            (ROWS, "where", ["k", 1], [ROWS[0], ROWS[2]]),
            (ROWS, "map", ["k"], [1, 2, 1, None]),
        ],
        *[(ROWS, "reject", ["k"], [ROWS[3]]), (ROWS, "find", ["n", "b"], ROWS[1]), (ROWS, "find_index", ["n", "b"], 1)],
        *[
            (ROWS, "has", ["n", "z"], False),
            (ROWS, "sum", ["k"], 4),
            ([1, "2", 0.5], "sum", [], 3.5),
            (ROWS, "size", [], 4),
        ],
        *[
            ([1, 2], "pop", [], [1]),
            ([1, 2], "shift", [], [2]),
            ([1], "push", [[2]], [1, [2]]),
            ([1], "unshift", [0], [0, 1]),
        ],
        *[("abc", "slice", [1, 2], "bc"), ([1, 2, 3], "slice", [-2, 2], [2, 3]), (True, "slice", [0, 2], "tr")],
        *[({"a": [1, "é\n"]}, "json", [], '{"a":[1,"é\\n"]}'), (None, "json", [], "null"), ("<b>", "raw", [], "<b>")],
        *[
            ("", "default", ["x"], "x"),
            (0, "default", ["x"], 0),
            (False, "default", ["x"], "x"),
            (("a", 1), "last", [], 1),
        ],
    ],
)
def test_a_filter_gives_a_value_of_json(value: object, name: str, given: list[Json], result: Json) -> None:
    found = apply(name, Meter(), value, given, {})
    assert found == result
    assert type(found) is type(result)


def test_group_by_keeps_the_order_of_the_groups() -> None:
    assert apply("group_by", Meter(), ROWS[:3], ["k"], {}) == [
        {"name": 1, "items": [ROWS[0], ROWS[2]]},
        {"name": 2, "items": [ROWS[1]]},
    ]


@pytest.mark.parametrize(
    ("value", "name", "given"),
    [
        *[
            (5, "plus", []),
            (5, "divided_by", [0]),
            (5, "plus", [1, 2]),
            ("/w==", "base64_decode", []),
        ],
        *[
            ([1, "a"], "sort", []),
            ([1], "concat", [2]),
            ("x", "to_integer", []),
            ("a", "slugify", ["gone"]),
            ("a", "truncate", ["b"]),
        ],
        *[
            (object(), "size", []),
            (10**400, "divided_by", [0.5]),
            ("inf", "json", [object()]),
            (1.0, "times", ["1e999"]),
        ][:3],
    ],
)
def test_what_it_cannot_be_applied_to_is_invalid_input(value: object, name: str, given: list[object]) -> None:
    with pytest.raises(RenderRefused) as caught:
        apply(name, Meter(), value, given, {})
    assert (caught.value.reason, caught.value.pointer) == ("invalid_input", "/input")


@pytest.mark.parametrize(
    ("value", "name", "given"), [({"a": 1}, "upcase", []), ([1], "append", ["x"]), ([[1]], "join", [])]
)
def test_a_structure_where_text_is_needed_is_unworkable(value: Json, name: str, given: list[Json]) -> None:
    with pytest.raises(RenderRefused) as caught:
        apply(name, Meter(), value, given, {})
    assert caught.value.reason == "unworkable"
