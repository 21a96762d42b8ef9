"""Mistakes of schemas: those that say nothing that was meant, and those that say nothing at all."""

from tests.core.document.mistakes.mistake import Mistake

OWNER = "owner: { type: string }"
NOTE = "note: { type: string, maxLength: 2000 }"
VERDICT = "verdict: { type: string, enum: [approve, revise] }"
PROPERTIES = f"    properties:\n      {VERDICT}\n      {NOTE}\n"


def _type(written: str, right: str, fix: str, title: str) -> Mistake:
    return Mistake(title=title, right=f"owner: {right}", wrong=f"owner: {written}", place=OWNER, fix=fix)


def _note(written: str, right: str, fix: str, title: str, is_taken: bool = False) -> Mistake:
    wrong, right = f"note: {{ type: string, {written} }}", f"note: {{ type: string, {right} }}"
    return Mistake(title=title, right=right, wrong=wrong, place=NOTE, fix=fix, is_taken=is_taken)


REFUSED = (
    _type("{ type: str }", "{ type: string }", "Write type: string", "A type by a name of other languages"),
    _type("{ type: date }", "{ type: string, format: date }", "format: date", "A format for a type"),
    _type("string", "{ type: string }", "such as { type: string }", "A type without type"),
    _type("{ type: [string, null] }", "{ type: [string, 'null'] }", "null goes in quotes", "Null in a list of types"),
    Mistake(
        title="required within a property",
        right=OWNER,
        wrong="owner: { type: string, required: true }",
        fix="lists the names that must be given: required: [owner]",
    ),
    Mistake(
        title="required as a text",
        right="required: [verdict]",
        wrong="required: verdict",
        fix="lists the names that must be given",
    ),
    Mistake(
        title="required names what is not there",
        right="required: [owner, brief]",
        wrong="required: [owner, breif]",
        fix="Add it to properties",
    ),
    Mistake(
        title="The values of an enum as one text",
        right=VERDICT,
        wrong="verdict: { type: string, enum: approve | revise }",
        fix="enum: [approve, revise]",
    ),
    Mistake(
        title="Properties as a list",
        right=PROPERTIES,
        wrong="    properties: [verdict, note]\n",
        fix="gives each property by its name",
    ),
    Mistake(
        title="Properties without properties",
        right=PROPERTIES,
        wrong=f"    {VERDICT}\n    {NOTE}\n",
        fix="A property stands below properties",
    ),
    _note("maxLenght: 2000", "maxLength: 2000", "Did you mean maxLength?", "A misspelt keyword"),
    _note("maxLength: '2000'", "maxLength: 2000", "goes without quotes", "A number in quotes"),
    _note("pattern: '*.pdf'", "pattern: '[.]pdf$'", "no regular expression", "A pattern as file names have them"),
    _note(
        "pattern: '^(?!secret)'",
        "pattern: '^public'",
        "Write the expression without them",
        "A pattern that looks ahead",
    ),
    Mistake(
        title="A reference to a file or an address",
        right=NOTE,
        wrong="note: { $ref: note.json }",
        fix="to a schema within this one",
    ),
    Mistake(
        title="A list of schemas for items",
        right="links: { type: array, items: { type: string } }",
        wrong="links: { type: array, items: [{ type: string }] }",
        fix="items has one for all items, as in items: { type: string }",
    ),
    Mistake(
        title="A list of types without type",
        right="owner: { type: [string, 'null'] }",
        wrong="owner: [string, 'null']",
        place=OWNER,
        fix="written as in { type: [string, 'null'] }",
    ),
    Mistake(
        title="A backslash in double quotes",
        right="note: { type: string, pattern: '\\d+' }",
        wrong='note: { type: string, pattern: "\\d+" }',
        place=NOTE,
        fix="single quotes",
    ),
)

WARNED = (
    Mistake(
        title="A keyword of other schemas",
        right="note: { type: [string, 'null'] }",
        wrong="note: { type: string, nullable: true }",
        place=NOTE,
        fix="Did you mean type: [string, 'null']?",
        is_taken=True,
    ),
    Mistake(
        title="Choices by another name",
        right=VERDICT,
        wrong="verdict: { type: string, options: [approve, revise] }",
        fix="Did you mean enum?",
        is_taken=True,
    ),
    Mistake(
        title="Numbers for the values of a text",
        right="verdict: { type: string, enum: ['1', '2'] }",
        wrong="verdict: { type: string, enum: [1, 2] }",
        place=VERDICT,
        fix="Put it in quotes",
        is_taken=True,
    ),
    _note("format: datetime", "format: date-time", "Write date-time", "A format by another name", is_taken=True),
    _note("format: money", "description: In euros", "Say what is meant in the description", "No format", is_taken=True),
    _note(
        "minLength: 200, maxLength: 20",
        "minLength: 20, maxLength: 200",
        "minLength is more than maxLength",
        "Limits that no value fits",
        is_taken=True,
    ),
    Mistake(
        title="An enum without values",
        right=VERDICT,
        wrong="verdict: { type: string, enum: [] }",
        fix="An enum without values takes none",
        is_taken=True,
    ),
    Mistake(
        title="A misspelt name in required",
        right="required: [verdict]",
        wrong="required: [verdct]",
        fix="Did you mean verdict?",
        is_taken=True,
    ),
)
