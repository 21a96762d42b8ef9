"""The checks of a document's fields: each gives what the field says, or tells what is wrong with it and gives None."""

from collections.abc import Iterable

from sayso.core import durations, pointers
from sayso.core.bounds import DESCRIPTION_CHARACTERS, EXPIRES_MAX_MS, EXPIRES_MIN_MS
from sayso.core.document.faults import Fault
from sayso.core.document.front_matter import FIRST_LINE, FrontMatter
from sayso.core.document.yaml_reading import Path
from sayso.core.replies.rule import ReplyRule, check_rule, derived_rule
from sayso.core.schemas.checks import SchemaFault
from sayso.core.schemas.schema import Schema, compile_schema
from sayso.core.templates.template import PLACES, Template, compile_template


class Checks:
    """The checks of one document. ``faults`` are all that was found: by the reading, and by each check since."""

    def __init__(self, front: FrontMatter) -> None:
        self._front = front
        self.faults: list[Fault] = list(front.faults)

    def _fault(self, path: Path, detail: str) -> None:
        self.faults.append(Fault(line=self._front.line(path), at=pointers.join(path), detail=detail))

    def _is_given(self, field: str) -> bool:
        """Whether the field is written, and the reading found nothing wrong with it."""
        return field in self._front.fields and not self._front.is_damaged((field,))

    def keys(self, path: Path, taken: Iterable[str], required: Iterable[str] = ()) -> None:
        """No other key than these, and all that are required. A missing one is told of where it could be written."""
        block = self._front.fields if not path else self._front.fields[str(path[0])]
        for key in block.keys() - set(taken):
            self._fault((*path, key), f"There is no field {key!r} here. Those there are: {', '.join(taken)}.")
        for key in required:
            if key not in block:
                detail = f"{key} is required and missing."
                self.faults.append(Fault(line=FIRST_LINE, at=pointers.join((*path, key)), detail=detail))

    def _text(self, field: str) -> str | None:
        if not self._is_given(field):
            return None
        value = self._front.fields[field]
        if isinstance(value, str):
            return value
        self._fault((field,), f"{field} is a text. Put quotes around it.")
        return None

    def description(self) -> str | None:
        """What the function is for."""
        text = self._text("description")
        if text is not None and not 1 <= len(text) <= DESCRIPTION_CHARACTERS:
            self._fault(("description",), f"description has 1 to {DESCRIPTION_CHARACTERS:,} characters.")
        return text

    def expires(self) -> int | None:
        """How long a request waits, in milliseconds."""
        text = self._text("expires")
        if text is None:
            return None
        try:
            length_ms = durations.milliseconds(text)
        except durations.NotADuration as refusal:
            self._fault(("expires",), f"expires {refusal}.")
            return None
        if not EXPIRES_MIN_MS <= length_ms <= EXPIRES_MAX_MS:
            self._fault(("expires",), "expires lies between PT1M (one minute) and P30D (thirty days).")
        return length_ms

    def schema(self, block: str) -> Schema | None:
        """The schema of ``input`` or of ``output``."""
        if not self._is_given(block):
            return None
        written = self._front.fields[block]
        if not isinstance(written, dict):
            self._fault((block,), f"{block} is a mapping with schema in it.")
            return None
        self.keys((block,), ("schema",))
        if "schema" not in written:
            return None
        compiled = compile_schema(written["schema"])
        if isinstance(compiled, Schema):
            return compiled
        self._schema_faults((block, "schema"), compiled)
        return None

    def _schema_faults(self, path: Path, faults: Iterable[SchemaFault]) -> None:
        """The faults of a schema, each at the line of the key or the item that it is about."""
        lines = {pointers.join(known): line for known, line in self._front.lines.items() if known[: len(path)] == path}
        for fault in faults:
            at = pointers.join(path) + fault.pointer
            self.faults.append(Fault(line=lines.get(at, self._front.line(path)), at=at, detail=fault.detail))

    def template(self, field: str, input_schema: Schema | None) -> Template | None:
        """The template of ``to`` or of ``from``."""
        source = self._text(field)
        if source is None:
            return None
        if not source.strip():
            self._fault((field,), f"{field} is empty: it is a template of a party's name.")
            return None
        compiled = compile_template(source, PLACES[field], input_schema)
        if isinstance(compiled, Template):
            return compiled
        for slip in compiled:
            self._fault((field,), slip.detail)
        return None

    def message(self, input_schema: Schema | None) -> Template | None:
        """The template of the message, which is the body."""
        body, line = self._front.body, self._front.body_line
        if not body.strip():
            self.faults.append(
                Fault(line=line, at=None, detail="The message is empty: it is written below the front matter.")
            )
            return None
        compiled = compile_template(body, PLACES["message"], input_schema)
        if isinstance(compiled, Template):
            return compiled
        for slip in compiled:
            at_line = line + body.count("\n", 0, slip.offset)
            self.faults.append(Fault(line=at_line, at=None, detail=slip.detail))
        return None

    def reply(self, output_schema: Schema | None) -> ReplyRule | None:
        """The reply rule, or the one that the answer's schema implies."""
        if "reply" not in self._front.fields:
            return derived_rule(output_schema.source) if output_schema else None
        if not self._has_output_schema():
            self._fault(("reply",), "reply says how an answer is read, and without output.schema there is no answer.")
        if output_schema is None or not self._is_given("reply"):
            return None
        rule = check_rule(self._front.fields["reply"], output_schema.source)
        if isinstance(rule, ReplyRule):
            return rule
        for fault in rule:
            self._fault(("reply", *fault.path), fault.detail)
        return None

    def _has_output_schema(self) -> bool:
        output = self._front.fields.get("output")
        return isinstance(output, dict) and "schema" in output
