"""What a template does with the names that it reads: texts are not reckoned with, and members of the input are needed
or may be missing."""

import pytest

from sayso.core.templates.place import PLACES
from sayso.core.templates.template import Slip, Template, compile_template
from sayso.core.templates.uses import Members

PLACE = PLACES["deliver.with"]


def template(source: str) -> Template:
    made = compile_template(source, PLACE)
    assert isinstance(made, Template)
    return made


def slips(source: str) -> list[Slip]:
    found = compile_template(source, PLACE)
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize(
    ("source", "offset", "said"),
    [
        ("{{ today | minus: 7 }}", 3, "today is a text such as 2026-01-31, and no template reckons with dates"),
        ("By {{ now | plus: 1 }}", 6, "give the input the date that you need"),
        ("{% if true %}{% assign due = expires_at | times: 2 %}{% endif %}", 29, "expires_at is a text"),
        ("{% liquid\nassign due = today | ceil\necho due %}", 23, "today is a text"),
        ("{{ run_id | abs }}", 3, "run_id is a text, which abs takes for 0: write {{ run_id }} alone."),
    ],
)
def test_no_text_is_reckoned_with(source: str, offset: int, said: str) -> None:
    ((at, detail),) = slips(source)
    assert at == offset
    assert said in detail


@pytest.mark.parametrize(
    "source",
    [
        "{{ today | slice: 0, 4 | plus: 1 }} {{ now | size }}",
        "{{ to | plus: 1 }} {{ input.today | minus: 7 }} {{ 3 | times: 2 }} {{ today }}",
        "{% assign today = 3 %}{{ today | plus: 1 }} {{ now }}",
        "{% for message in input.messages %}{{ message | plus: 1 }}{% endfor %}{{ message }}",
    ],
)
def test_what_may_be_a_number_is(source: str) -> None:
    assert template(source).doubts == ()


@pytest.mark.parametrize(
    ("source", "needed", "guarded"),
    [
        ("{{ today }} {{ input }} {{ input[0] }}", {}, set()),
        ("{{ input.a.b }} {{ input.a }} {{ input['c d'] }}", {"a": 3, "c d": 33}, set()),
        ("{{ input.a | default: input.b | append: input.c }}", {"b": 22, "c": 40}, {"a"}),
        ("{{ input.a | append: 'x' | default: 'y' }}", {"a": 3}, set()),
        ("{% if input.a == 1 and input.b contains input.c %}{% elsif input.d %}{% endif %}", {}, {"a", "b", "c", "d"}),
        ("{% unless input.a %}{{ input.b }}{% endunless %}", {"b": 23}, {"a"}),
        ("{% case input.a %}{% when input.b %}{% endcase %}", {"a": 8, "b": 26}, set()),
        ("{% for b in input.a limit: input.c %}{{ b.d }}{% endfor %}", {"a": 12, "c": 27}, set()),
        ("{{ input[input.a] }}", {"a": 9}, set()),
        ("{{ input.limit }}", {"limit": 3}, set()),
        ("{% assign input = answer_schema %}{{ input.type }}", {}, set()),
    ],
)
def test_which_members_of_the_input_it_cannot_do_without(
    source: str, needed: dict[str, int], guarded: set[str]
) -> None:
    assert template(source).members == Members(needed, frozenset(guarded))
