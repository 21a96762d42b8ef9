"""What a server replied, held to the OpenAPI document: to its statuses, its media types and its shapes."""

import copy
from typing import Any

import jsonschema_rs


class Told:
    """Judges replies by a document whose shapes are closed: a member that it does not name is a fault."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._operations = {one["operationId"]: one for path in document["paths"].values() for one in path.values()}
        components = copy.deepcopy(document["components"])
        for schema in components["schemas"].values():
            _close(schema)
        self._responses = components["responses"]
        self._validators = {
            name: jsonschema_rs.validator_for(
                {"$ref": f"#/components/schemas/{name}", "components": components}, validate_formats=True
            )
            for name in components["schemas"]
        }

    def faults(self, operation: str, status: int, body: Any, media_type: str | None = None) -> list[str]:
        """What is not as the document says."""
        response = self._operations[operation]["responses"].get(str(status))
        if response is None:
            return [f"{operation} never replies {status}"]
        if "$ref" in response:
            response = self._responses[response["$ref"].rpartition("/")[2]]
        ((promised, content),) = response["content"].items()
        if media_type not in {None, promised}:
            return [f"{operation} replies {status} as {media_type}, not {promised}"]
        shape = content["schema"]["$ref"].rpartition("/")[2]
        return [
            f"{operation} {status} {fault.instance_path}: {fault.message}"
            for fault in self._validators[shape].iter_errors(body)
        ]


def _close(schema: Any) -> None:
    if isinstance(schema, list):
        for one in schema:
            _close(one)
    if not isinstance(schema, dict):
        return
    if schema.get("type") == "object" and "properties" in schema:
        schema["additionalProperties"] = False
    for name in ("properties", "items", "anyOf"):
        its = schema.get(name)
        _close([*its.values()] if name == "properties" and isinstance(its, dict) else its)
