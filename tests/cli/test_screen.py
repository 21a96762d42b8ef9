"""What others wrote is shown and never acted upon."""

import json
import sys

import pytest

from sayso.cli.screen import Screen
from sayso.cli.text import one_line, visible, wrapped
from sayso.cli.values import written_json
from tests.cli.conftest import Machine
from tests.cli.terminal import Terminal

HOSTILE = "\x1b]0;title\x07 \x9b2J \u202egnp.exe [bold red]x[/] \u2028 \x00 :smile:"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "␛[2J"),
        ("\x07\x00\x7f", "␇␀\\x7f"),
        ("\x9b", "\\x9b"),
        ("\u202e\u200b\ufeff", "\\u202e\\u200b\\ufeff"),
        ("\ud800", "\\ud800"),
        ("a\nb\tc", "a␊b␉c"),
        ("Grüße, 朝日 👍", "Grüße, 朝日 👍"),
    ],
)
def test_controls_are_made_visible_and_words_are_left_alone(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_the_lines_of_a_message_stay_lines() -> None:
    assert visible("a\nb\r\x1b", lines=True) == "a\nb␍␛"


def test_a_cell_is_one_line_and_cut_visibly() -> None:
    assert one_line("a\n\n  b\x1b " + "c" * 20, 10) == "a b␛ cccc…"


def test_json_at_a_terminal_steers_nothing_and_means_the_same() -> None:
    text = written_json({"m": HOSTILE})
    assert json.loads(text) == {"m": HOSTILE}
    assert not any(ord(letter) < 0x20 or 0x7F <= ord(letter) <= 0x9F or letter in "\u202e\u2028" for letter in text)


def test_markup_of_others_is_printed_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    Screen().line("[bold]x[/bold] [link=file:///etc/passwd]y[/link]", "bold")
    assert capsys.readouterr().out == "[bold]x[/bold] [link=file:///etc/passwd]y[/link]\n"


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("one two three", ["one two", "three"]),
        ("abcdefghijklm no", ["abcdefgh", "ijklm no"]),
        ("  far in", ["  far in"]),
        ("朝日朝日朝日", ["朝日朝日", "朝日"]),
        ("", [""]),
    ],
)
def test_a_long_line_is_broken_at_blanks_and_a_long_word_anywhere(line: str, parts: list[str]) -> None:
    assert wrapped(line, 8) == parts


def test_rows_into_a_pipe_are_tab_separated_and_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    Screen().table(("A", "B"), [("1\n2", "x\ty"), ("3", "z")])
    assert capsys.readouterr().out == "1␊2\tx␉y\n3\tz\n"


MEASURED = """
import sys
from sayso.cli import screen
screen.A_WHILE_S = float(sys.argv[1])
with screen.Screen().measured("Copying") as tell:
    tell(30, 40)
print("done")
"""


@pytest.mark.parametrize(("after", "is_shown"), [("0", True), ("60", False)])
def test_a_terminal_shows_how_much_is_done_of_what_takes_a_while(machine: Machine, after: str, is_shown: bool) -> None:
    with Terminal([sys.executable, "-c", MEASURED, after], machine.env) as terminal:
        code, seen = terminal.end()
    assert code == 0
    assert ("Copying" in seen, "30/40" in seen) == (is_shown, is_shown)


def test_a_pipe_is_told_of_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    with Screen().measured("Copying") as tell:
        tell(1, 2)
    assert capsys.readouterr() == ("", "")
