"""The numbers of ``core/bounds.py``, in the order in which they stand there."""

from sayso.core import bounds
from sayso.core.durations import in_words
from tests.docs.reference.table import code, table

# What each number holds, and its unit where the name does not end in one.
HOLDS = {
    "DOCUMENT_BYTES": "A document, front matter and message together",
    "DESCRIPTION_CHARACTERS": "The `description` of a document",
    "EXPIRES_MIN_MS": "`expires` of a document, at least",
    "EXPIRES_MAX_MS": "`expires` of a document, at most",
    "WAIT_MIN_MS": "`wait` of a `replies` block, at least",
    "WAIT_MAX_MS": "`wait` of a `replies` block, at most",
    "PARTY_BYTES": "A party, once `to` is rendered",
    "MESSAGE_BYTES": "A message, once the body is rendered",
    "ARGUMENTS_BYTES": "The arguments of a tool, once they are rendered, as JSON",
    "ANSWER_BYTES": "An answer, as JSON",
    "CLAIMED_FOR_BYTES": "`claimed_for` of an answer",
    "JSON_DEPTH": "Levels of an input and of an answer",
    "INPUT_BYTES": "The input of a run, as JSON",
    "OPEN_REQUESTS": "Requests of a playbook that wait at once, unless `INTERACTION_OPEN_REQUESTS` says otherwise",
    "ISSUES_SHOWN": "Faults that one refusal tells apart; then one more that counts the rest",
    "REASON_CHARACTERS": "The `reason` of a cancellation",
    "FIELD_SHOWN_BYTES": "A free field that a history shows whole; past this its size stands in its place",
    "EVENT_DATA_BYTES": "The data of an event in a history; past this its largest members are shown by their size",
    "PUBLISHED_BYTES": "An event that is published or sent, as JSON",
    "PUBLISHED_DEPTH": "Levels of the `data` of one",
    "PUBLISHED_NAME_CHARACTERS": "The `type` and the `id` of one",
    "PUBLISHED_SOURCE_CHARACTERS": "The `source` and the `subject` of one",
    "FRONT_MATTER_DEPTH": "Levels of the front matter",
    "SCHEMA_BYTES": "A schema, as JSON",
    "SCHEMA_DEPTH": "Levels of a schema",
    "SCHEMA_POINTER_CHARACTERS": "The pointers to all that is in a schema, together",
    "SCHEMA_ENUM_VALUES": "Values of an `enum`",
    "TEMPLATE_CHARACTERS": "A template",
    "TEMPLATE_NAMES": "Names, filters and keywords of a template together",
    "ARGUMENTS_NAMES": "Names, filters and keywords of the arguments of a tool together",
    "RULE_VALUES": "Values with words of their own in a reply rule",
    "RULE_WORDS": "Words for one value in a reply rule",
    "WORD_BYTES": "A word of a reply rule",
    "REPLY_BYTES": "The words of a reply",
    "TELLING_LIST_BYTES": "The words, or the problems, that a telling lists; then it says how many more there are",
    "BODY_BYTES": "The body of an HTTP request",
    "HEAD_BYTES": "The request line and the headers of an HTTP request",
    "REQUEST_ID_CHARACTERS": "An `x-request-id` that is kept; one that is longer gives way to ours",
    "CALLERS_REMEMBERED": "Callers whose rate is counted, and addresses that failed to say who they are; each apart",
    "PROXY_HOPS": "Addresses of `X-Forwarded-For` that are looked at, from the right",
    "PAGE_DEFAULT": "Items of a page, unless `limit` says otherwise",
    "PAGE_MAX": "Items of a page, at most",
    "KEY_PARTIES": "Parties that a key is limited to",
    "KEY_OVERLAP_MS": "How long the secret before its newest one may stay good",
    "TOKEN_CHARACTERS": "A token for one request",
    "EXPIRY_CHARACTERS": "The `expires` of a token, as it is written",
    "CONFIG_FILE_BYTES": "A configuration file",
    "BATCH_UNITS": "Units that one commit takes",
    "BATCH_BYTES": "What those units carry, together",
    "WORKER_UNITS_WHILE_CALLERS_WAIT": "Units of the worker in one commit while callers wait",
    "QUEUE_UNITS": "Units that wait for a commit; past it a caller is told 503, since its turn would come too late",
    "CHILDREN_PAGE": "Open children that a parent is shown in one unit",
    "POSTED_BYTES": "One thing that is left in an inbox, as JSON",
    "POSTED_LEAST_BYTES": "What one such thing counts as, at least",
    "INBOX_BYTES": "What may wait in an inbox, beside the endings of children",
    "RENDER_CHARGES": "What rendering a template may cost: a charge is a character or an item",
    "SAMPLE_CHARGES": "What rendering a template may cost when it is tried, as a document is saved",
    "STEP_CHARGES": "What one step of a template costs",
    "RANGE_ITEM_CHARGES": "What one number of a range in a template costs",
    "NUMBER_BITS": "Bits of a whole number that a filter makes",
    "STATEMENT_OPERATORS": "Operators of one condition in a template",
    "STATEMENT_BRACKETS": "Brackets of one expression in a template",
    "SCHEMA_WORK": "Units of [work](../adr/0008-what-a-schema-may-hold.md) that checking one value may take",
    "SCHEMA_PARTS": "Parts of a schema, its references followed",
    "SCHEMA_LEVELS_THROUGH_REFS": "Levels of a schema, its references followed",
    "SCHEMA_PATTERNS": "Regular expressions of a schema",
    "SCHEMA_PATTERN_CHARACTERS": "One regular expression",
    "PATTERN_RUNS": "Runs of places that a regular expression is written out to, to be weighed",
    "PATTERN_MEMORY_BYTES": "What one compiled regular expression may take",
    "EXPRESSION_CHARACTERS": "A text of the format `regex`",
    "NUMBER_COMPARISONS": "Comparisons of the slow numbers in one value: those with a fraction or very many digits",
    "FORMS_BYTES": "Bytes of a value times forms in `anyOf` and `oneOf`: past it no fault is told apart",
    "FAULTS_FOUND": "Faults that a value may have, up to which all are found; past it, the first is told",
    "SCHEMA_FAULTS": "Faults of a schema that are told",
    "NUMBER_DIGITS": "Digits of a number in the front matter",
}


def listed() -> str:
    """The numbers with what they hold. A number without words here is an error."""
    found = {name: value for name, value in vars(bounds).items() if name.isupper()}
    unknown = found.keys() ^ HOLDS.keys()
    if unknown:
        raise LookupError(f"bounds and their words differ: {sorted(unknown)}")
    rows = ((code(name), _written(name, value), HOLDS[name]) for name, value in found.items())
    return table(("Name", "Bound", "What it holds"), rows)


def _written(name: str, value: int) -> str:
    if name.endswith("_MS"):
        return in_words(value)
    if name.endswith("_BYTES"):
        return _bytes(value)
    return f"{value:,} characters" if name.endswith("_CHARACTERS") else f"{value:,}"


def _bytes(value: int) -> str:
    for size, unit in ((1_048_576, "MiB"), (1_024, "KiB")):
        if value % size == 0:
            return f"{value // size} {unit}"
    return f"{value:,} bytes"
