"""The JSON Schema of the configuration file, for editors and for whoever writes the file with a program."""

from collections.abc import Mapping

from sayso.config.table import TABLE, Setting
from sayso.core.values import Json

# A text that holds a reference may stand for any value.
_REFERENCE: Json = {"type": "string", "pattern": r"\$\{[A-Za-z_][A-Za-z0-9_]*(:-[^{}$]*)?\}"}


def schema(words: Mapping[str, str]) -> dict[str, Json]:
    """The schema; ``words`` says of each setting, by its name in the environment, what it is."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The configuration file of sayso",
        "type": "object",
        "additionalProperties": False,
        "properties": {one.key: _member(one, words[one.name]) for one in TABLE},
    }


def _member(setting: Setting, words: str) -> dict[str, Json]:
    return {"description": words, "anyOf": [dict(setting.kind.schema()), _REFERENCE]}
