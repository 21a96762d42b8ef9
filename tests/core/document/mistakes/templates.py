"""Mistakes of templates: names that are not there, and the habits of other languages."""

from tests.core.document.mistakes.mistake import CHAT, Mistake

BRIEF_READ = "{{ input.brief }}"
TEXT = "text: '{{ message }}'"


def _read(wrong: str, fix: str, title: str, right: str = BRIEF_READ, is_taken: bool = False) -> Mistake:
    return Mistake(title=title, right=right, wrong=wrong, place=BRIEF_READ, fix=fix, is_taken=is_taken)


NAMES = (
    _read("{{ brief }}", "write input.brief", "A name without input"),
    _read("{{ inputs.brief }}", "Did you mean 'input'?", "input misspelt"),
    _read("{{ input.breif }}", "Did you mean 'brief'?", "A misspelt name, where the schema takes no others"),
    _read("{{ run_id }}", "run_id is read in deliver.with", "A name of another place"),
    _read("{{ answer }}", "The answer is not there yet", "The answer, before there is one"),
    _read("{{ env.OWNER }}", "Nothing is filled in from the environment", "The environment"),
    Mistake(
        title="The environment, as other files have it",
        base=CHAT,
        right=TEXT,
        wrong="text: '${CHAT_TOKEN}'",
        fix="nothing is filled in from the environment",
    ),
    Mistake(
        title="What was sent, before it is sent",
        base=CHAT,
        right=TEXT,
        wrong="text: '{{ message }} ({{ sent.id }})'",
        fix="sent is read in replies.conversation, replies.with, tell.with",
    ),
    Mistake(
        title="The input, where replies are read",
        base=CHAT,
        right="after: '{{ since }}'",
        wrong="after: '{{ input.since }}'",
        fix="this template reads to, sent, conversation, since",
    ),
    Mistake(
        title="A structure in a longer text",
        base=CHAT,
        right="text: '{{ message }} {{ answer_schema | json }}'",
        wrong="text: '{{ message }} {{ answer_schema }}'",
        place=TEXT,
        fix="Write | json after it",
    ),
)

LANGUAGE = (
    _read("{{ input.brief }", "Write }} after what it reads", "Braces that are not closed"),
    _read("{{{ input.brief }}}", "Write two braces and no more", "Three braces"),
    _read("{{ input.brief | default: “none” }}", "straight quotes", "Curly quotes in a template"),
    _read(
        "{{ input.brief or input.owner }}",
        "{{ input.a | default: input.b }}",
        "or, for what may be missing",
        "{{ input.brief | default: input.owner }}",
    ),
    _read(
        "{{ input.brief if input.owner else 'none' }}",
        "{% if input.a %}…{% else %}…{% endif %}",
        "if within a value",
        "{% if input.owner %}{{ input.brief }}{% else %}none{% endif %}",
    ),
    _read("{{ input.brief.upper() }}", "write a filter", "A function call", "{{ input.brief | upcase }}"),
    _read("{{ input.brief | upper }}", "Write upcase", "A filter of other languages", "{{ input.brief | upcase }}"),
    _read(
        "{{ input.brief | truncate(80) }}",
        "stands after a colon",
        "Brackets after a filter",
        "{{ input.brief | truncate: 80 }}",
    ),
    _read("Of {{ today | date: '%d %B' }}", "There is no filter 'date'", "A date in another form", "Of {{ today }}"),
    _read(
        "Open since {{ today | minus: 7 }}",
        "give the input the date that you need",
        "A date that is reckoned",
        "Open since {{ today }}",
    ),
    _read(
        "It costs {{ input.brief | money }}",
        "{{ '$' }}{{ input.amount }}",
        "An amount of money by a filter",
        "It costs {{ '$' }}{{ input.brief }}",
    ),
    _read("{{ 'For ' + input.owner }}", "stand side by side", "A plus between texts", "For {{ input.owner }}"),
    _read(
        "{% if input.owner = 'anna' %}Hello!{% endif %}",
        "compared with ==",
        "One equals sign in a condition",
        "{% if input.owner == 'anna' %}Hello!{% endif %}",
    ),
    _read(
        "{% if input.owner && input.brief %}Hello!{% endif %}",
        "Write and between two conditions",
        "Signs for and, or, not",
        "{% if input.owner and input.brief %}Hello!{% endif %}",
    ),
    _read(
        "{% if input.owner %}{{ input.brief }}",
        "Write {% endif %} after what it holds",
        "An if that is not closed",
        "{% if input.owner %}{{ input.brief }}{% endif %}",
    ),
    _read(
        "{% if input.owner %}1{% else if input.brief %}2{% endif %}",
        "Write elsif",
        "else if",
        "{% if input.owner %}1{% elsif input.brief %}2{% endif %}",
    ),
    _read("{% include 'brief.md' %}", "write the text out here", "Another file taken in"),
    _read("{% set x = 1 %}", "{% assign name = input.a %}", "A variable of other languages", "{% assign x = 1 %}"),
)

WARNED = (
    _read("{input.brief}", "write {{ before it and }} after it", "Single braces", is_taken=True),
    _read(
        "{# To be written #}",
        "{% comment %}",
        "A comment of other languages",
        "{% comment %} To be written {% endcomment %}",
        is_taken=True,
    ),
    _read(
        "{% if input.links %}Links: {{ input.links }}{% endif %}",
        "write | join: ', ' after it",
        "A list of the input in a text",
        "{% if input.links %}Links: {{ input.links | join: ', ' }}{% endif %}",
        is_taken=True,
    ),
    _read(
        "Links: {{ input.links | join: ', ' }}",
        "add it to required, or write {{ input.links | default: '…' }} or {% if input.links %}",
        "What an input may lack",
        "Links: {{ input.links | default: 'none' }}",
        is_taken=True,
    ),
    Mistake(
        title="A message that is the input's alone",
        right="May this brief go out?\n\n{{ input.brief }}",
        wrong="{{ input.brief }}",
        fix="write some words beside it",
        is_taken=True,
    ),
    Mistake(
        title="A message that is never sent",
        base=CHAT,
        right=TEXT,
        wrong="text: 'A question for {{ to }}'",
        fix="The message is never sent",
        below=-2,
        is_taken=True,
    ),
    Mistake(
        title="A template for the name of an argument",
        base=CHAT,
        right=f"{TEXT}\n    subject: Hello",
        wrong=f"{TEXT}\n    '{{{{ to }}}}': Hello",
        place=TEXT,
        fix="this one is sent as it stands",
        below=1,
        is_taken=True,
    ),
)
