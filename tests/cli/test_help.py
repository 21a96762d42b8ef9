"""Help comes at once, and a command line that cannot be is refused as one."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from sayso.cli.main import app

COMMANDS = [
    "serve",
    "worker",
    "migrate",
    "status",
    "backup",
    "rebuild",
    "audit",
    "doctor",
    "transfer",
    "check",
    "try",
    "save",
    "apply",
    "definitions list",
    "definitions show",
    "definitions versions",
    "definitions diff",
    "definitions retire",
    "run",
    "list",
    "show",
    "answer",
    "cancel",
    "reassign",
    "tokens create",
    "erase",
    "demo",
    "config check",
    "config show",
    "keys create",
    "keys list",
    "keys rotate",
    "keys revoke",
    "notices list",
    "notices replay",
    "notices secret",
]
HEAVY = {
    "uvicorn",
    "starlette",
    "httpx2",
    "pydantic",
    "jsonschema_rs",
    "prometheus_client",
    "liquid",
    "sqlite3",
    "sayso.compose",
    "sayso.app",
}


def test_no_command_makes_help_wait_for_the_server() -> None:
    code = f"import sys, sayso.cli.main; print(sorted({HEAVY!r} & set(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout == "[]\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    shown = CliRunner().invoke(app, [*command.split(), "--help"])
    assert shown.exit_code == 0
    assert f"{command} [OPTIONS]" in shown.output


@pytest.mark.parametrize("group", ["", "definitions", "keys", "tokens", "notices"])
def test_a_list_of_commands_fits_a_terminal(group: str) -> None:
    shown = CliRunner().invoke(app, [*group.split(), "--help"], env={"COLUMNS": "80"}).output
    listed = shown[shown.index("Commands:") :].splitlines()[1:]
    assert all(line.endswith(".") and not line.endswith("..") for line in listed)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_names_arguments_in_capitals_alone(command: str) -> None:
    assert not {"{", "<"} & set(CliRunner().invoke(app, [*command.split(), "--help"]).output)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "name", "--input", "{not"], "--input is not JSON"),
        (["run", "name", "--input", '{"a": 1, "a": 2}'], "--input is not JSON"),
        (["run", "name", "--input", "@/missing.json"], "the file /missing.json cannot be read"),
        (["answer", "id", "--answer", "yes"], "A text needs its quotes"),
        (["answer", "id", "--answer", __file__], f"write @{__file__} for what it holds"),
        (["run", "name", "--input", __file__], f"write @{__file__} for what it holds"),
        (["answer", "id", "--answer", "NaN"], "--answer is not JSON"),
        (["answer", "id", "a=1", "--answer", "1"], "not both"),
        (["list", "--key", "say_k_x"], "--url"),
        (["list", "--url", "http://127.0.0.1:9", "--key", "say_k_x"], "--org"),
        (["list", "--limit", "0"], "--limit"),
        (["list", "--limit", "101"], "sayso: --limit: A whole number from 1 to 100 is needed.\n"),
        (["list", "--limit", "9" * 5_000], "sayso: --limit: A whole number"),
        (["demo", "--answer", "maybe"], "approve, revise"),
        (["save", "/missing.md"], "FILE"),
        (["keys", "create"], "--org"),
        (["keys", "create", "--org", "acme", "--parties", "[1]"], "a list of texts"),
        (["keys", "create", "--org", "acme", "--parties", "[1"], "--parties is not JSON"),
        (["reassign", "id"], "--to PARTY"),
        (["answer", "id", "--answer", "1", "--answered-by", "somebody"], "--answered-by"),
        (["check"], "FILE"),
        (["definitions", "diff", "name", "0"], "FROM"),
        (["definitions", "show", "name", "--version", "x"], "--version"),
        (["serve", "--port", "65536"], "sayso: --port: A whole number from 0 to 65535 is needed.\n"),
        (["migrate", "--shards", "0"], "sayso: --shards: A whole number from 1 to 256 is needed.\n"),
        (["nothing"], "nothing"),
    ],
)
def test_a_usage_error_says_what_is_wrong_and_exits_2(
    arguments: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SAYSO_URL", "SAYSO_KEY", "SAYSO_ORG"):
        monkeypatch.delenv(name, raising=False)
    if arguments[0] in {"run", "answer", "reassign"}:
        monkeypatch.setenv("SAYSO_URL", "http://127.0.0.1:9")
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    assert said in done.output


def test_a_value_that_cannot_be_is_told_on_one_line_and_what_is_missing_with_the_usage() -> None:
    assert len(CliRunner().invoke(app, ["list", "--limit", "x"]).output.splitlines()) == 1
    for arguments in (["run"], ["list", "--nothing"]):
        assert CliRunner().invoke(app, arguments).output.startswith(f"Usage: sayso {arguments[0]} [OPTIONS]")


@pytest.mark.parametrize("written", ["@/missing.json", f"@{__file__}"])
def test_what_a_file_holds_is_no_text_that_lacks_quotes(written: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAYSO_URL", "http://127.0.0.1:9")
    done = CliRunner().invoke(app, ["answer", "id", "--answer", written])
    assert done.exit_code == 2
    assert "--answer" in done.output
    assert "quotes" not in done.output


def test_the_version_is_printed() -> None:
    from sayso import __version__

    assert CliRunner().invoke(app, ["--version"]).output == f"sayso {__version__}\n"
