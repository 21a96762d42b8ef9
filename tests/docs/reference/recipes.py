"""The recipes of the cookbook: each a function document with an example input, and what it makes of that."""

import json
from dataclasses import dataclass

from sayso.core.document.function import Function
from sayso.core.document.parse import parse
from sayso.core.document.trial import CallTrial, RequestTrial, ToolCall, try_function
from sayso.core.values import Json
from tests.docs.pages import ROOT

FOLDER = ROOT / "examples/cookbook"
MOMENT_MS = 1_803_891_600_000  # 2027-03-01T09:00:00Z


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A function document in its file, with the input beside it."""

    name: str
    source: str
    function: Function
    input_value: Json

    def tried(self) -> RequestTrial | CallTrial:
        """What a run over the example input would do."""
        return try_function(self.function, self.input_value, MOMENT_MS)


def names() -> list[str]:
    """The names of the recipes, in the order of the alphabet."""
    return sorted(path.stem for path in FOLDER.glob("*.md"))


def read(name: str) -> Recipe:
    """The recipe of this name."""
    source = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    given = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return Recipe(name=name, source=source, function=parse(source, name=name), input_value=given)


def shown(name: str) -> str:
    """A recipe as the cookbook shows it: its document, and what it makes of its example input."""
    recipe = read(name)
    files = f"[The document](../../examples/cookbook/{name}.md), and [an input](../../examples/cookbook/{name}.json):"
    tried = recipe.tried()
    made = _called(tried.call) if isinstance(tried, CallTrial) else _asked(tried)
    return "\n\n".join([files, f"```markdown\n{recipe.source}```", *made])


def _called(call: ToolCall) -> list[str]:
    return [f"A run over that input calls `{call.tool}` of `{call.server}` with", _json(call.arguments)]


def _asked(tried: RequestTrial) -> list[str]:
    question = tried.question
    head = f"to: {question.to}\n" + (f"from: {question.answerer}\n" if question.answerer else "")
    made = ["A run over that input asks", f"```text\n{head}\n{question.message.rstrip()}\n```"]
    if tried.delivery:
        arguments = {name: _shortened(value, tried) for name, value in tried.delivery.arguments.items()}
        made += [f"and calls `{tried.delivery.tool}` of `{tried.delivery.server}` with", _json(arguments)]
    if tried.reading and tried.reading.telling:
        told = tried.reading.telling.arguments["text"]
        made += ["A reply that cannot be read is told of in these words:", f"```text\n{told}\n```"]
    return made


def _shortened(value: Json, tried: RequestTrial) -> Json:
    schema = tried.function.output_schema
    if schema and value == schema.source:
        return "(the answer schema)"
    return "(the message)" if value == tried.question.message else value


def _json(value: Json) -> str:
    return f"```json\n{json.dumps(value, indent=2, ensure_ascii=False)}\n```"
