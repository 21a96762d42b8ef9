"""The fields of an operation, by its model's JSON Schema and by what is known of the store."""

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from sayso.app import inputs
from tests.fuzz import documents, json_values, schemas
from tests.fuzz.known import Known, Place, Run, one_of

PLAYBOOKS = ("default", "sales", "support", "legal", "a-b-c", "x" * 48)
NAMES = ("approve-brief", "ask-owner", "choose-date", "note-it", "sign-off", "pick-one", "z" * 48)

Make = Callable[[Random, Known, Place, dict[str, Any]], Any]


@cache
def schema(operation: str) -> schemas.Schema:
    """The JSON Schema of an operation's fields."""
    return inputs.INPUTS[operation].model_json_schema()


def fields(chance: Random, known: Known, operation: str, place: Place) -> dict[str, Any]:
    """Fields that the operation takes, and that name what is there wherever something is known."""
    whole = schema(operation)
    made: dict[str, Any] = {}
    for name, its in whole.get("properties", {}).items():
        is_free = name in inputs.INPUTS[operation].free
        if name in whole.get("required", ()) or chance.random() < (0.95 if is_free else 0.5):
            make = _KNOWN.get((operation, name)) or _KNOWN.get(("", name))
            value = make(chance, known, place, made) if make else None
            made[name] = schemas.fitting(chance, its) if value is None else value
    return {name: value for name, value in made.items() if value is not None}


def _run(chance: Random, known: Known, place: Place, *kinds: list[Run]) -> Run | None:
    run = one_of(chance, [run for runs in kinds for run in runs if run.place == place])
    return run if run is not None and chance.random() < 0.97 else None


def _function_name(chance: Random, known: Known, place: Place, made: dict[str, Any]) -> str:
    found = one_of(chance, [function for function in known.functions if function.place == place])
    return found.name if found and chance.random() < 0.95 else chance.choice(NAMES)


def _run_id(chance: Random, known: Known, place: Place, made: dict[str, Any]) -> str | None:
    run = _run(chance, known, place, known.open, known.ended)
    return run.run_id if run else None


def _open_run_id(chance: Random, known: Known, place: Place, made: dict[str, Any]) -> str | None:
    run = _run(chance, known, place, known.open if chance.random() < 0.85 else known.ended)
    return run.run_id if run else _run_id(chance, known, place, made)


def _new_run_id(chance: Random, known: Known, place: Place, made: dict[str, Any]) -> str | None:
    """The id of a new run, or that of an old one; then mostly with its name and its input too."""
    run = _run(chance, known, place, known.open, known.ended)
    if run is None or chance.random() < 0.7:
        return None
    if chance.random() < 0.7:
        made.update(name=run.function, input=run.input)
    return run.run_id.upper() if chance.random() < 0.1 else run.run_id


def _input(chance: Random, known: Known, place: Place, made: dict[str, Any]) -> Any:
    found = [one for one in known.functions if (one.place, one.name) == (place, made.get("name"))]
    if not found or chance.random() < 0.1:
        return {"owner": "the treasurer", "review": json_values.plain(chance), "items": [1, "a"], "amount": 3}
    schema, made_input = found[0].input_schema, schemas.fitting(chance, found[0].input_schema)
    if isinstance(made_input, dict) and isinstance(schema, dict) and "additionalProperties" not in schema:
        return {"owner": "the treasurer", "review": "Good.", "amount": 2, "items": ["a"]} | made_input
    return made_input


def _answer(chance: Random, known: Known, place: Place, made: dict[str, Any]) -> Any:
    found = [run for run in (*known.open, *known.ended) if run.run_id == made.get("run_id")]
    if not found or found[0].output_schema is None:
        return {"verdict": "approve"}
    if found[0].answer is not None and chance.random() < 0.7:
        return found[0].answer
    return schemas.fitting(chance, found[0].output_schema)


def _event_id(chance: Random, known: Known, place: Place, made: dict[str, Any]) -> str | None:
    found = one_of(chance, [event for its, event in known.events if its == place])
    if found is None or chance.random() < 0.05:
        run = _run(chance, known, place, known.open, known.ended)
        return run.run_id[:-1] + "1" if run else None
    return found


def _cursor(operation: str) -> Make:
    def make(chance: Random, known: Known, place: Place, made: dict[str, Any]) -> str | None:
        anywhere = chance.random() < 0.2
        fit = [one for one in known.cursors if anywhere or (one.place, one.operation) == (place, operation)]
        cursor = one_of(chance, fit)
        if cursor is None:
            return "AAAAAAAAAAAAAAAAAAAAAAAA"
        if cursor.run_id is not None and operation == "get_run_history" and chance.random() < 0.9:
            made["run_id"] = cursor.run_id
        return cursor.text

    return make


def _party(chance: Random, known: Known, place: Place, made: dict[str, Any]) -> str | None:
    return one_of(chance, known.parties)


def _playbook(chance: Random, known: Known, place: Place, made: dict[str, Any]) -> str | None:
    return chance.choice(PLAYBOOKS) if chance.random() < 0.9 else None


def _passing(chance: Random, known: Known, place: Place, made: dict[str, Any]) -> str:
    """A playbook that nobody will miss: those that most requests are about stay."""
    others = [one.playbook for one in sorted(known.playbooks) if one.org == place.org and one.playbook not in PLAYBOOKS]
    return one_of(chance, others) or "not-there"


def _limit(chance: Random, known: Known, place: Place, made: dict[str, Any]) -> int:
    return chance.choice((1, 2, 3, 20, 99, 100))


# What to draw from, by operation and field, or by field for all operations; everything else is made by its schema.
_KNOWN: dict[tuple[str, str], Make] = {
    ("create_playbook", "playbook"): _playbook,
    ("retire_playbook", "playbook"): _passing,
    ("", "playbook"): lambda chance, known, place, made: place.playbook,
    ("create_playbook", "name"): lambda chance, known, place, made: None,
    ("update_playbook", "name"): lambda chance, known, place, made: None,
    ("create_definition", "name"): lambda chance, known, place, made: (
        chance.choice(NAMES) if chance.random() < 0.5 else None
    ),
    ("run_definition", "run_id"): _new_run_id,
    ("answer_interaction", "run_id"): _open_run_id,
    ("cancel_run", "run_id"): _open_run_id,
    ("reassign_interaction", "run_id"): _open_run_id,
    ("create_answer_token", "run_id"): _open_run_id,
    **{("", name): _function_name for name in ("name", "function")},
    **{
        (operation, "cursor"): _cursor(operation)
        for operation in (
            *("list_definitions", "list_definition_versions"),
            *("list_runs", "get_run_history", "list_interactions"),
            *("list_playbook_events", "list_org_interactions", "list_org_runs"),
        )
    },
    ("", "source"): lambda chance, known, place, made: documents.document(chance),
    ("", "run_id"): _run_id,
    ("", "input"): _input,
    ("", "answer"): _answer,
    ("", "event_id"): _event_id,
    ("", "to"): _party,
    ("", "from"): _party,
    ("", "limit"): _limit,
    **{
        ("", name): lambda chance, known, place, made: chance.choice((1, 1, 1, 2, 3, 2**53 - 1))
        for name in ("version", "from_version", "to_version", "expected_version")
    },
}
