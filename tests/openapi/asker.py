"""Asks a server that it knows by its OpenAPI document alone, and holds each response to it.

On standard input it is told, as JSON: ``url``, ``key``, ``count`` requests and their ``seed``; path parameters that
are ``known``, those ``of`` single operations, sound ``bodies``, and how a request is put (``puts``: a path, a body) for
the operations that ``need`` one that waits. It exits with 1 at the first response that is a 5xx or is not as
documented, and at the end if an operation never succeeded.
"""

import json
import sys
from collections import Counter
from random import Random
from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
A_ROUND_AT_LEAST, A_ROUND_AT_MOST = 20, 200
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
# What no run takes so far: it never succeeds.
NEVER = {"send_run_event"}


class Asker:
    """Sends what the document allows, and what it does not, to where something is."""

    def __init__(self, told: dict[str, Any]) -> None:
        self._told = told
        self._chance = Random(told["seed"])
        self._headers = {"Authorization": f"Bearer {told['key']}"}
        self._session = requests.Session()
        self._run_ids: list[str] = [told["known"]["run_id"]]
        self.sent: Counter[int] = Counter()
        self.succeeded: Counter[str] = Counter()

    def ask(self, operation: Any, mode: GenerationMode, count: int, number: int) -> None:
        """Send so many requests of one operation. There may be nothing that its document forbids."""

        @seed(number)
        @settings(
            max_examples=count,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def one(case: Any) -> None:
            self._send(case, operation.definition.raw["operationId"])

        try:
            one()
        except Unsatisfiable:
            if mode is GenerationMode.POSITIVE:
                raise

    def _send(self, case: Any, operation: str) -> None:
        self._lead(case, operation)
        response = case.call(base_url=self._told["url"], session=self._session, headers=self._headers)
        self.sent[response.status_code] += 1
        case.validate_response(response, checks=CHECKS, headers=self._headers)
        if response.status_code < 300:
            self.succeeded[operation] += 1
            self._learn(operation, response.json())

    def _lead(self, case: Any, operation: str) -> None:
        """Lead most requests to what is there: nobody guesses a run id."""
        known = self._told["known"] | {"run_id": self._run_id(operation)} | self._told["of"].get(operation, {})
        for name in case.path_parameters or {}:
            if name == "org" or self._chance.random() < 0.9:
                case.path_parameters[name] = known[name]
        given_body = self._told["bodies"].get(operation)
        if given_body and isinstance(case.body, dict) and self._chance.random() < 0.5:
            case.body = case.body | given_body

    def _run_id(self, operation: str) -> str:
        """One of the last runs, which the others may have ended; where one that waits is needed, half the time that."""
        if operation not in self._told["need"] or self._chance.random() < 0.5:
            return self._chance.choice(self._run_ids)
        puts = self._told["puts"]
        response = self._session.post(self._told["url"] + puts["path"], json=puts["body"], headers=self._headers)
        assert response.ok, response.text
        return str(response.json()["run_id"])

    def _learn(self, operation: str, told: Any) -> None:
        if operation == "run_definition" and told["status"] == "started":
            self._run_ids = [*self._run_ids[-20:], told["run_id"]]


def main() -> int:
    """Ask, and tell what was answered."""
    told = json.load(sys.stdin)
    schema = schemathesis.openapi.from_url(f"{told['url']}/v1/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    a_round = min(max(told["count"] // (4 * len(operations)), A_ROUND_AT_LEAST), A_ROUND_AT_MOST)
    asker, number = Asker(told), told["seed"]
    while asker.sent.total() < told["count"]:
        for operation in operations:
            for mode in MODES:
                number += 1
                asker.ask(operation, mode, a_round, number)
    print(f"{asker.sent.total():,} requests, seed {told['seed']}: statuses {dict(sorted(asker.sent.items()))}")
    print(f"succeeded: {dict(sorted(asker.succeeded.items()))}")
    names = {operation.definition.raw["operationId"] for operation in operations}
    missed = names - asker.succeeded.keys() - NEVER
    if missed and told["count"] >= 1_000:
        print(f"never succeeded: {sorted(missed)}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
