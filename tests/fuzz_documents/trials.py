"""One trial of a seed: what is made, what is done with it, how long each step took, and what was not as promised."""

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from random import Random
from time import thread_time
from typing import Any

from sayso.core.bounds import ARGUMENTS_BYTES, MESSAGE_BYTES
from sayso.core.document.function import CallFunction, Function
from sayso.core.document.parse import parse
from sayso.core.document.trial import try_function
from sayso.core.document.yaml_reading import UNKEPT
from sayso.core.overview.overview import overview
from sayso.core.schemas.schema import Schema, compile_schema
from sayso.core.templates.arguments import Arguments, compile_arguments
from sayso.core.templates.rendering import RenderRefused
from sayso.core.templates.template import PLACES, Template, compile_template
from sayso.core.values import Json
from sayso.errors import Problem
from tests.fuzz import documents, schemas
from tests.fuzz_documents import dear, functions, judging, liquid, mutations, spoiling, tricks, values, worst, yaml_text
from tests.fuzz_documents.liquid import Names

_WORST = tuple(worst.WORST)
_MOMENT_MS = 1_790_000_000_000


@dataclass
class Step:
    """One thing that was done: its kind, its processor time, whether it was taken, and its faults."""

    kind: str
    seconds: float
    taken: bool
    faults: list[str] = field(default_factory=list)


@dataclass
class Trial:
    """What was made, and what came of it."""

    kind: str
    shown: str
    steps: list[Step] = field(default_factory=list)


# -- documents


def document(seed: int, index: int) -> Trial:
    """Document ``index`` of a seed, checked; when it is taken, rendered over inputs that fit it and that do not."""
    chance = Random(f"{seed}/document/{index}")
    kind, source = source_of(chance, index)
    trial = Trial(kind, source)
    step, function = _timed(kind, lambda: parse(source, name="ask-somebody"), Problem)
    trial.steps.append(step)
    if isinstance(function, Problem):
        step.faults += judging.of_refusal(source, function)
    elif function is not None:
        trial.kind = f"{kind} {_shape(function)}"
        step.faults += judging.of_issues(source, function.warnings)
        trial.steps += _used(chance, function)
    return trial


def source_of(chance: Random, index: int) -> tuple[str, str]:
    """What a document is and its text: first the worst, each as large as may be, and then of each kind its share."""
    if index < len(_WORST):
        return f"worst: {_WORST[index]}", worst.WORST[_WORST[index]](worst.DOCUMENT)
    pick = chance.random()
    if pick < 0.4:
        return "generated", assembled(chance, functions.function(chance))
    if pick < 0.64:
        made = functions.function(chance)
        spoiling.spoil(chance, made)
        return "spoilt", assembled(chance, made)
    if pick < 0.9:
        return "mutated", mutations.mutated(chance, assembled(chance, functions.function(chance)))
    if pick < 0.99:
        return "strange", documents.document(chance)
    name = chance.choice(_WORST)
    return f"worst: {name}", mutations.mutated(
        chance, worst.WORST[name](chance.choice((2_000, 20_000, worst.DOCUMENT)))
    )


def assembled(chance: Random, made: functions.Written) -> str:
    """The document of a function, in any style, with any line endings."""
    opening, closing = ("---" + chance.choice(("", "", " ", "  \t")) + "\n" for _ in range(2))
    text = f"{opening}{yaml_text.written(chance, made.fields)}{closing}{made.body}"
    if chance.random() < 0.1:
        text = text.replace("\n", chance.choice(("\r\n", "\r\n", "\r")))
    return "\ufeff" + text if chance.random() < 0.05 else text


def _shape(function: Function) -> str:
    if isinstance(function, CallFunction):
        return "call"
    return "inbox" if function.delivery is None else "replies" if function.replies else "tool"


def _used(chance: Random, function: Function) -> Iterator[Step]:
    step, said = _timed("overview", lambda: overview(function), Problem)
    step.faults += judging.of_overview(said)
    yield step
    schema = function.input_schema
    fitting = schemas.fitting(chance, schema.source) if schema else {"owner": "the treasurer", "amount": 2}
    for given in (fitting, values.hostile_input(chance)):
        names = values.names(chance, given)
        for what, rendering, limit in _renderings(function):
            yield _rendered(what, rendering, limit, names)
        yield _tried(function, given)
    if function.output_schema is not None:
        yield from _answered(chance, function.output_schema)


def _tried(function: Function, given: Json) -> Step:
    """All that a run would render, in its order and with its bounds."""
    step, told = _timed("try", lambda: try_function(function, given, _MOMENT_MS), Problem)
    if isinstance(told, Problem):
        step.faults += judging.of_trial(told)
    return step


def _answered(chance: Random, schema: Schema) -> Iterator[Step]:
    """What is said of answers: of one that nearly fits, and of one that hardly can."""
    for answer in (values.as_sent(schemas.near(chance, schema.source)), values.hostile_input(chance)):
        step, issues = _timed("answer", partial(schema.issues, answer, "/answer"), Problem)
        step.faults += judging.of_answer(issues or ())
        yield step


def answer(seed: int, index: int) -> Trial:
    """One of the dearest schemas over one of the largest answers: each pair has its index, whatever the seed."""
    schema = dear.SCHEMAS[index // len(dear.ANSWERS) % len(dear.SCHEMAS)]
    given = dear.ANSWERS[index % len(dear.ANSWERS)]
    trial = Trial("answer", f"{schema!r:.300} over {given!r:.300}")
    step, compiled = _timed("compile a schema", lambda: compile_schema(schema), Problem)
    trial.steps.append(step)
    if isinstance(compiled, Schema):
        told, issues = _timed("answer", lambda: compiled.issues(given, "/answer"), Problem)
        told.faults += judging.of_answer(issues or ())
        trial.steps.append(told)
    return trial


def _renderings(function: Function) -> Iterator[tuple[str, Template | Arguments, int]]:
    if isinstance(function, CallFunction):
        yield "call.with", function.arguments, ARGUMENTS_BYTES
        return
    yield "to", function.to, MESSAGE_BYTES
    yield "message", function.message, MESSAGE_BYTES
    if function.from_ is not None:
        yield "from", function.from_, MESSAGE_BYTES
    if function.delivery is not None:
        yield "deliver.with", function.delivery.arguments, ARGUMENTS_BYTES
    if function.replies is not None:
        yield "replies.conversation", function.replies.conversation, MESSAGE_BYTES
        yield "replies.with", function.replies.arguments, ARGUMENTS_BYTES
        if function.replies.tell is not None:
            yield "tell.with", function.replies.tell.arguments, ARGUMENTS_BYTES


def _rendered(what: str, made: Template | Arguments, limit: int, names: dict[str, Json]) -> Step:
    if isinstance(made, Arguments):
        step, rendered = _timed(f"render {what}", lambda: made.render(names), RenderRefused)
    else:
        step, rendered = _timed(f"render {what}", lambda: made.render(names, limit), RenderRefused)
    if step.taken:
        step.faults += (
            judging.of_text(rendered, limit) if isinstance(made, Template) else judging.of_arguments(rendered)
        )
    elif isinstance(rendered, RenderRefused):
        step.faults += judging.of_rendering(rendered)
    return step


def _timed(kind: str, work: Callable[[], Any], refusal: type[Exception]) -> tuple[Step, Any]:
    """What work gave or how it was refused, with the time that it took; None where it raised anything else."""
    begun = thread_time()
    try:
        given = work()
    except refusal as refused:
        return Step(kind, thread_time() - begun, taken=False), refused
    except KeyboardInterrupt:
        raise
    except BaseException:  # a panic of native code is no Exception
        return Step(kind, thread_time() - begun, taken=False, faults=[traceback.format_exc(limit=-6)]), None
    return Step(kind, thread_time() - begun, taken=True), given


# -- templates

_NAMES = Names(
    ("input.owner", "today", "now", "input.review"), ("input.amount",), ("input.items",), ("input", "input.x1")
)
_SENT = ("to", "sent.conversation", "sent.id")
_NAMES_OF: dict[str, Names] = {
    **dict.fromkeys(("to", "from", "message", "call.with"), _NAMES),
    "deliver.with": Names((*_NAMES.text, "to", "message"), _NAMES.number, _NAMES.list, (*_NAMES.any, "answer_schema")),
    "replies.conversation": Names(_SENT),
    "replies.with": Names((*_SENT, "conversation", "since"), any=("sent",)),
    "tell.with": Names((*_SENT, "message"), any=("sent",)),
}
RENDERINGS = 4


def template(seed: int, index: int) -> Trial:
    """Template or arguments ``index`` of a seed, compiled; when they are taken, rendered over hostile values."""
    chance = Random(f"{seed}/template/{index}")
    if index < len(dear.TEMPLATES) or chance.random() < 0.01:
        return _dear(chance, dear.TEMPLATES[index % len(dear.TEMPLATES)])
    place = chance.choice(tuple(PLACES))
    if place.endswith(".with"):
        written = _arguments(chance, place)
        trial = Trial(place, repr(written))
        step, made = _timed("compile arguments", lambda: compile_arguments(written, PLACES[place]), RenderRefused)
    else:
        source = _template(chance, place)
        trial = Trial(place, source)
        step, made = _timed("compile a template", lambda: compile_template(source, PLACES[place]), RenderRefused)
    trial.steps.append(step)
    if isinstance(made, Template | Arguments):
        for _ in range(RENDERINGS):
            names = values.names(chance, values.hostile_input(chance))
            trial.steps.append(_rendered(place, made, MESSAGE_BYTES, names))
    elif made is not None:
        step.taken = False
        step.faults += judging.of_slips(made)
    return trial


def _dear(chance: Random, source: str) -> Trial:
    """One of the dearest templates over two of the largest inputs."""
    trial = Trial("dear", source)
    step, made = _timed("compile a template", lambda: compile_template(source, PLACES["message"]), RenderRefused)
    trial.steps.append(step)
    assert isinstance(made, Template), made
    trial.steps += [
        _rendered("dear", made, MESSAGE_BYTES, values.names(chance, given)) for given in chance.sample(dear.INPUTS, 2)
    ]
    return trial


def _template(chance: Random, place: str) -> str:
    pick = chance.random()
    if pick < 0.75:
        return liquid.text(chance, _NAMES_OF[place], 6)
    made = tricks.template(chance)
    # What no text of a document may hold is refused before its templates are looked at.
    return UNKEPT.sub("", made if pick < 0.95 else mutations.mutated(chance, made))


def _arguments(chance: Random, place: str) -> dict[str, Json]:
    made = functions.arguments(chance, _NAMES_OF[place])
    if chance.random() < 0.3:
        made["more"] = [_template(chance, place) for _ in range(chance.choice((1, 1, 2, 30)))]
    return made
