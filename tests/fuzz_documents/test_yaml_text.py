"""What is written in any style reads as it was written: of the writer here, and of the reader in the core."""

from random import Random

from sayso.core.document import yaml_reading
from sayso.core.values import Json
from tests.fuzz import json_values, texts
from tests.fuzz_documents import yaml_text

WORDS = ("a", "yes", "on", "No", "null", "~", "1", "0o7", "1_000", "2026-10-01", "- a", "a: b", "a #b", "{{ x }}", "''")


def value(chance: Random, depth: int) -> Json:
    pick = chance.random()
    if depth and pick < 0.3:
        return [value(chance, depth - 1) for _ in range(chance.randint(0, 3))]
    if depth and pick < 0.6:
        return members(chance, depth - 1)
    return text(chance) if pick < 0.9 else json_values.plain(chance, 0)


def members(chance: Random, depth: int) -> dict[str, Json]:
    return {text(chance): value(chance, depth) for _ in range(chance.randint(0, 3))}


def text(chance: Random) -> str:
    made = chance.choice((chance.choice(WORDS), texts.hostile(chance)[:80], "\n".join(chance.choices(WORDS, k=3))))
    return yaml_reading.UNKEPT.sub("", made).replace("\r", "") + chance.choice(("", "", "\n", "\n\n"))


def test_a_value_reads_as_it_was_written_in_any_style() -> None:
    chance = Random(0)
    for _ in range(1_500):
        meant = {"first": 1} | members(chance, 3)
        written = yaml_text.written(chance, meant)
        assert yaml_reading.read(written, 2).value == meant, written
