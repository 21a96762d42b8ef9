"""What a reload changes, and what waits for a restart."""

from pathlib import Path

from sayso.config import changes
from sayso.config.table import TABLE
from sayso.settings import Settings


def test_what_reloads_counts_and_the_rest_stays() -> None:
    old = Settings(port=1, log_level="info", rate_limit=5)
    new = Settings(port=2, log_level="debug", rate_limit=None, allowed_origins=("https://a.example.com",))
    found = changes.between(old, new)
    assert found.settings == Settings(port=1, log_level="debug", allowed_origins=("https://a.example.com",))
    assert set(found.changed) == {"LOG_LEVEL", "RATE_LIMIT", "ALLOWED_ORIGINS"}
    assert found.waiting == ["PORT"]


def test_the_same_settings_change_nothing() -> None:
    found = changes.between(Settings(data=Path("x")), Settings(data=Path("x")))
    assert (found.changed, found.waiting) == ([], [])


def test_what_reloads_is_what_the_docs_say() -> None:
    assert {one.name for one in TABLE if one.reloads} == {
        "API_KEYS",
        "ALLOWED_ORIGINS",
        "INTERACTION_OPEN_REQUESTS",
        "RATE_LIMIT",
        "RATE_BURST",
        "LOG_LEVEL",
    }
