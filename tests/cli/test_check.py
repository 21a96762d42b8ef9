"""`sayso check`: each fault on its line, whatever bytes a file holds."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, Machine

GOOD = (EXAMPLES / "approve-campaign-brief.md").read_text()
BAD = GOOD.replace("P2D", "soon")
LINE = 1 + BAD.split("\n").index("expires: soon")


@pytest.fixture
def folder(machine: Machine) -> Path:
    made = machine.home / "functions"
    made.mkdir()
    (made / "approve.md").write_text(GOOD)
    return made


def test_a_sound_document_says_nothing(machine: Machine, folder: Path) -> None:
    done = machine.sayso("check", str(folder / "approve.md"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_each_fault_is_on_a_line_that_an_editor_can_go_to(machine: Machine, folder: Path) -> None:
    file = folder / "ask.md"
    file.write_text(BAD.replace("{{ input.review }}", "{{ input.rev }}"))
    done = machine.sayso("check", str(folder / "approve.md"), str(file))
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(f"{file}:{LINE}: expires ")
    assert lines[1].startswith(f"{file}:{1 + file.read_text().split(chr(10)).index('{{ input.rev }}')}: ")


def test_a_program_gets_the_findings_as_a_list(machine: Machine, folder: Path) -> None:
    (folder / "Ask.md").write_text(BAD)
    done = machine.sayso("check", str(folder), str(folder / "missing.md"), "--json")
    warning, error, unread = json.loads(done.stdout)
    assert done.returncode == 2
    assert (warning["level"], warning["line"]) == ("warning", 1)
    assert (error["level"], error["line"], error["at"]) == ("error", LINE, "/expires")
    assert (unread["file"], unread["line"]) == (str(folder / "missing.md"), None)


def test_the_published_schema_is_the_one_of_the_docs(machine: Machine) -> None:
    done = machine.sayso("check", "--schema")
    published = Path(__file__).parents[2] / "docs" / "reference" / "function.schema.json"
    assert json.loads(done.stdout) == json.loads(published.read_text())


def test_without_a_file_it_says_what_to_name(machine: Machine) -> None:
    done = machine.sayso("check")
    assert done.returncode == 2
    assert "Name a document" in done.stderr


def test_a_name_that_no_definition_has_is_only_a_warning(machine: Machine, folder: Path) -> None:
    (folder / "Approve it.md").write_text(GOOD)
    done = machine.sayso("check", str(folder / "Approve it.md"))
    assert done.returncode == 0
    assert done.stdout.startswith(f"{folder / 'Approve it.md'}:1: warning: The file's name is no name")
    assert "3 to 48 lower-case letters" in done.stdout
    assert "apply refuses it" in done.stdout


def test_two_documents_of_a_folder_with_one_name_are_a_warning_at_the_later(machine: Machine, folder: Path) -> None:
    (folder / "more").mkdir()
    (folder / "more" / "approve.md").write_text(GOOD)
    done = machine.sayso("check", str(folder))
    assert done.returncode == 0
    said = f"{folder / 'more' / 'approve.md'}:1: warning: The file {folder / 'approve.md'} has the same name: "
    assert [line.startswith(said) for line in done.stdout.splitlines()] == [True]
    # Of two folders each may be the whole of a playbook.
    assert machine.sayso("check", str(folder / "more"), str(folder / "approve.md")).stdout == ""


def test_standard_input_is_a_document(machine: Machine) -> None:
    done = machine.sayso("check", "-", given=BAD)
    assert done.returncode == 1
    assert done.stdout.startswith(f"-:{LINE}: expires ")


def test_of_a_folder_what_begins_with_dashes_is_checked(machine: Machine, folder: Path) -> None:
    for name, text in {"README.md": "# Functions\n", "notes.txt": BAD, ".draft.md": BAD, ".git/x.md": BAD}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    assert machine.sayso("check", str(folder)).returncode == 0
    (folder / "more").mkdir()
    for name in ("ask.md", "tell.MD"):
        (folder / "more" / name).write_bytes(b"\xef\xbb\xbf" + BAD.replace("\n", "\r\n").encode())
    done = machine.sayso("check", str(folder))
    assert done.returncode == 1
    for line, name in zip(done.stdout.splitlines(), ("ask.md", "tell.MD"), strict=True):
        assert line.startswith(f"{folder / 'more' / name}:{LINE}: expires ")


def test_a_folder_without_documents_says_what_those_are(machine: Machine) -> None:
    done = machine.sayso("check", str(machine.home / "tmp"))
    assert done.returncode == 0
    assert "begin with a line of three hyphens" in done.stderr


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "1: The document begins with a line of three"),
        (b"---\nto: \xff\n---\n", "2: The document is not text in UTF-8 here."),
        (b"---\n" * 20_000, "1: The document is larger than 65,536 bytes."),
        (GOOD.encode("utf-16"), "1: The document is not text in UTF-8 here."),
        (b"---\nto: \x00\n---\n", "2: The character U+0000 "),
        (b"---\n" + b"[" * 60_000 + b"\n---\n", "2: "),
    ],
)
def test_any_bytes_are_told_of_in_words(machine: Machine, content: bytes, said: str) -> None:
    file = machine.home / "ask.md"
    file.write_bytes(content)
    done = machine.sayso("check", str(file))
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith(f"{file}:{said}")


def test_a_pipe_that_nobody_writes_to_is_not_waited_for(machine: Machine) -> None:
    os.mkfifo(machine.home / "ask.md")
    assert machine.sayso("check", str(machine.home / "ask.md")).returncode == 1


def test_what_cannot_be_read_is_a_usage_error(machine: Machine, folder: Path) -> None:
    (folder / "gone.md").symlink_to("nowhere")
    for file in ("missing.md", "gone.md"):
        done = machine.sayso("check", str(folder / "approve.md"), str(folder / file))
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"sayso: {folder / file} cannot be read: No such file or directory.\n"
    assert machine.sayso("check", str(folder)).returncode == 2


def test_a_file_name_cannot_steer_a_terminal(machine: Machine, folder: Path) -> None:
    (folder / "a\x1b]0;x\x07\n.md").write_text(BAD)
    shown = machine.sayso("check", str(folder)).stdout
    assert len(shown.splitlines()) == 2
    assert "a␛]0;x␇␊.md:" in shown


def test_a_terminal_gets_a_summary(machine: Machine, folder: Path) -> None:
    for number in range(30):
        (folder / f"ask-{number}.md").write_text(BAD)
    with machine.at_a_terminal("check", str(folder)) as terminal:
        code, shown = terminal.end()
    assert code == 1
    assert "31 documents, 30 problems, 0 warnings." in shown
