"""`sayso try`: what a run would put, without a server, and nothing of it sent."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, INPUT, Machine

BRIEF = str(EXAMPLES / "approve-campaign-brief.md")
REFUND = str(EXAMPLES / "cookbook/decide-refund.md")
REFUND_INPUT = f"@{EXAMPLES / 'cookbook/decide-refund.json'}"
AT = ["--at", "2026-10-01T09:00:00Z"]


def test_a_question_is_shown_as_its_party_would_meet_it(machine: Machine) -> None:
    done = machine.sayso("try", BRIEF, "--input", json.dumps(INPUT), *AT)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert "to\tspring campaign owner" in lines
    assert "waits in\tthe inbox" in lines
    assert "expires\tafter 2 days, at 2026-10-03T09:00:00.000Z" in lines
    assert f"  | {INPUT['review']}" in lines
    assert {"    1) approve", "    2) revise", "  verdict>"} <= set(lines)
    assert done.stderr == "Nothing was sent, and nothing was saved.\n"


def test_a_program_gets_all_of_it(machine: Machine) -> None:
    said = machine.said("try", BRIEF, "--input", json.dumps(INPUT), *AT)
    assert (said["to"], said["answerer"], said["takes_answer"]) == (INPUT["owner"], None, True)
    assert said["expires_at"] == "2026-10-03T09:00:00.000Z"
    assert [one["name"] for one in said["form"]] == ["verdict", "note"]
    assert said["form"][0]["choices"] == ["approve", "revise"]
    assert (said["deliver"], said["replies"], said["samples"]) == (None, None, {})


def test_what_goes_through_a_tool_is_shown_with_its_arguments(machine: Machine) -> None:
    said = machine.said("try", REFUND, "--input", REFUND_INPUT, *AT)
    assert said["deliver"]["arguments"] == {"room": said["to"], "text": said["message"]}
    assert said["replies"]["call"]["arguments"]["thread"] == said["samples"]["sent.id"]
    assert said["replies"]["telling"]["tool"] == said["deliver"]["tool"]
    assert said["reply_rule"]["decision"]["words"] == {"pay": ["yes", "👍"], "refuse": ["no"]}
    shown = machine.sayso("try", REFUND, "--input", REFUND_INPUT)
    assert "the tool is called with" in shown.stdout
    assert "  | reason is what follows the first word." in shown.stdout.splitlines()
    assert said["samples"]["run_id"] in shown.stderr


def test_a_call_shows_what_it_would_ask(machine: Machine) -> None:
    file = EXAMPLES / "cookbook/read-customer.md"
    said = machine.said("try", str(file), "--input", '{"customer": 7}')
    assert said["call"]["arguments"]["id"] == 7
    shown = machine.sayso("try", str(file), "--input", '{"customer": 7}').stdout
    assert "returns\twhat stands at /record of the answer" in shown


def test_what_the_words_name_already_is_told_once(machine: Machine) -> None:
    document = "---\nto: '{{ input.owner }}'\nexpires: P1D\n---\nGo?"
    done = machine.sayso("try", "-", given=document)
    assert done.stderr.count("The template reads input.owner, which the input lacks.") == 1
    assert "/input/owner" not in done.stderr


def test_a_call_that_reads_no_part_returns_all(machine: Machine) -> None:
    document = "---\ncall: { server: a, tool: b }\noutput: { schema: {} }\n---\n"
    assert "returns\tthe whole answer" in machine.sayso("try", "-", given=document).stdout


def test_a_notification_says_that_it_takes_no_answer(machine: Machine) -> None:
    done = machine.sayso("try", "-", given="---\nto: ada\nexpires: P1D\n---\nDone.\n")
    assert "a notification: it takes no answer" in done.stdout
    assert "form" not in done.stdout


@pytest.mark.parametrize(
    ("reply", "meant"), [("YES, please", {"decision": "pay", "reason": "please"}), ("refuse", {"decision": "refuse"})]
)
def test_a_reply_shows_its_answer(machine: Machine, reply: str, meant: dict[str, str]) -> None:
    command = ["try", REFUND, "--input", REFUND_INPUT, "--reply", reply]
    assert machine.said(*command)["reply"] == {"answer": meant}
    assert f"this reply is the answer\n  | {json.dumps(meant)}\n" in machine.sayso(*command).stdout


def test_a_reply_that_is_none_shows_what_the_party_is_told(machine: Machine) -> None:
    command = ["try", REFUND, "--input", REFUND_INPUT, "--reply", "maybe"]
    said = machine.said(*command)["reply"]
    assert (said["because"], said["issues"]) == ("not_an_answer", [])
    assert "escalate" in said["telling"]
    assert "this reply is refused (not_an_answer), and the party is told" in machine.sayso(*command).stdout


def test_where_nothing_tells_nobody_is_told(machine: Machine) -> None:
    document = Path(REFUND).read_text()
    silent = document[: document.index("  tell:")] + document[document.index("reply:") :]
    done = machine.sayso("try", "-", "--input", REFUND_INPUT, "--reply", "pay" + " x" * 600, given=silent)
    assert "this reply is refused (invalid), and nobody is told" in done.stdout


def test_a_function_without_replies_reads_none(machine: Machine) -> None:
    done = machine.sayso("try", BRIEF, "--input", json.dumps(INPUT), "--reply", "approve")
    assert done.returncode == 0
    assert "    1) approve" in done.stdout.splitlines()
    assert done.stderr.startswith("No replies are read here, ")
    assert machine.said("try", BRIEF, "--input", json.dumps(INPUT), "--reply", "approve")["reply"] is None


def test_an_input_that_does_not_match_is_refused_as_a_run_would(machine: Machine) -> None:
    done = machine.sayso("try", BRIEF, "--input", '{"owner": 3}')
    assert (done.returncode, done.stdout) == (1, "")
    assert "  /input/owner: " in done.stderr
    problem = json.loads(machine.sayso("try", BRIEF, "--json").stderr)
    assert (problem["reason"], problem["status"]) == ("invalid_input", 422)
    assert [error["pointer"] for error in problem["errors"]] == ["/input/owner", "/input/review"]


def test_an_input_that_no_run_takes_is_refused(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "large.json").write_text(json.dumps(INPUT | {"review": "x" * 300_000}))
    done = machine.sayso("try", BRIEF, "--input", f"@{tmp_path / 'large.json'}")
    assert "The input is larger than" in done.stderr


def test_a_faulty_document_is_told_of_as_check_does(machine: Machine) -> None:
    document = Path(BRIEF).read_text().replace("P2D", "soon")
    done = machine.sayso("try", "-", given=document)
    assert done.returncode == 1
    assert done.stdout.startswith("-:4: expires ")
    problem = json.loads(machine.sayso("try", "-", "--json", given=document).stderr)
    assert problem["errors"][0]["at"] == "/expires"


def test_a_warning_is_told_beside_the_trial(machine: Machine) -> None:
    done = machine.sayso("try", "-", given="---\nto: ada\nexpires: P1D\n---\n" + "x" * 9_000)
    assert done.returncode == 1
    assert "-:5: warning: The message is longer than" in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["missing.md"], "missing.md cannot be read"),
        ([BRIEF, "--input", "{"], "--input is not JSON"),
        ([BRIEF, "--at", "noon"], "--at is an instant such as"),
        ([BRIEF, "--at", "9999-12-31"], "between the years"),
        ([BRIEF, "--at", "1969-12-31T23:59:59Z"], "between the years"),
        (["-", "--input", "-"], "Standard input is either"),
    ],
)
def test_a_usage_error_says_what_is_wrong(machine: Machine, options: list[str], said: str) -> None:
    done = machine.sayso("try", *options)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())


def test_an_instant_without_a_zone_is_in_utc(machine: Machine) -> None:
    for at in ("2026-10-01", "2026-10-01T02:00:00+02:00"):
        assert machine.said("try", BRIEF, "--input", json.dumps(INPUT), "--at", at)["expires_at"].startswith(
            "2026-10-03T00"
        )


def test_a_rendered_message_cannot_steer_a_terminal(machine: Machine) -> None:
    given = json.dumps(INPUT | {"review": "\x1b]0;owned\x07"})
    with machine.at_a_terminal("try", BRIEF, "--input", given) as terminal:
        shown = terminal.end()[1]
    assert "␛]0;owned␇" in shown


def test_an_argument_may_nest_as_deep_as_an_input(machine: Machine) -> None:
    document = (EXAMPLES / "cookbook/read-customer.md").read_text()
    open_one = document[: document.index("input:\n")] + document[document.index("output:") :]
    deep = '{"customer": ' + "[" * 511 + "]" * 511 + "}"
    (machine.home / "deep.md").write_text(open_one)
    command = ["try", str(machine.home / "deep.md"), "--input", deep]
    assert json.dumps(machine.said(*command)["call"]["arguments"]["id"]).count("[") == 511
    assert machine.sayso(*command).returncode == 0
