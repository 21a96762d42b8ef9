"""Starts a server with something in it, and lets the asker of another environment ask it.

python -m tests.openapi PYTHON [COUNT] [SEED]      PYTHON is that of the environment in which Schemathesis is
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from random import SystemRandom
from typing import Any

import httpx2

from tests.cli.conftest import Machine
from tests.http.served import RUN, document

USUAL = 20_000
SALES = {"org": "acme", "playbook": "sales"}
FUNCTION = {"type": "interaction", "name": "approve-brief"}
# What ends something ends what nobody needs.
ENDS = {
    "retire_playbook": {"playbook": "over-and-done"},
    "retire_definition": {"name": "ask-no-more"},
}
# What makes a body sound that no schema can make so.
BODIES: dict[str, dict[str, Any]] = {
    "create_definition": {"source": document()},
    "update_definition": {"source": document()},
    "run_definition": {"input": {"owner": "acme"}},
    "answer_interaction": {"answer": {"verdict": "approve"}},
    "reassign_interaction": {"to": "the night desk"},
}
# Where the others may have ended every request, these find one that waits, of a function that only they know.
NEED = ("answer_interaction", "create_answer_token", "reassign_interaction", "cancel_run")
PUTS = {
    "path": "/v1/orgs/acme/playbooks/sales/definitions/interaction/ask-again/run",
    "body": {"input": {"owner": "acme"}},
}


def main(python: str, count: int, seed: int) -> int:
    """The asker's exit code."""
    with tempfile.TemporaryDirectory() as home:
        machine, data = Machine(home=Path(home)), Path(home) / "store"
        for name in ("tmp", "run", "share"):
            (Path(home) / name).mkdir()
        key = machine.said("keys", "create", "--org", "acme", "--data", str(data))["key"]
        with machine.serving("--port", "0", "--data", str(data)) as server:
            known = _set_up(server.url, key)
            told = {"url": server.url, "key": key, "count": count, "seed": seed}
            asked = {"known": known, "of": ENDS, "bodies": BODIES, "need": NEED, "puts": PUTS}
            return subprocess.run(
                [python, str(Path(__file__).with_name("asker.py"))],
                input=json.dumps(told | asked),
                text=True,
                check=False,
            ).returncode


def _set_up(url: str, key: str) -> dict[str, str]:
    """Something of everything; the path parameters that lead there."""
    with httpx2.Client(base_url=url, headers={"authorization": f"Bearer {key}"}) as client:

        def post(path: str, body: dict[str, Any]) -> Any:
            reply = client.post(f"/v1/orgs/acme/playbooks{path}", json=body)
            assert reply.is_success, reply.text
            return reply.json()

        for playbook in ("sales", "over-and-done"):
            post("", {"playbook": playbook, "name": playbook})
        for name in ("approve-brief", "ask-no-more", "ask-again"):
            post("/sales/definitions/interaction", {"name": name, "source": document()})
        post("/sales/definitions/interaction/approve-brief/run", {"input": {"owner": "acme"}, "run_id": RUN})
        event = post("/sales/events", {"event": {"type": "brief.sent"}})
    return SALES | FUNCTION | {"run_id": RUN, "event_id": event["event_id"]}


if __name__ == "__main__":
    arguments = sys.argv[2:]
    sys.exit(
        main(
            sys.argv[1],
            int(arguments[0]) if arguments else USUAL,
            int(arguments[1]) if len(arguments) > 1 else SystemRandom().getrandbits(32),
        )
    )
