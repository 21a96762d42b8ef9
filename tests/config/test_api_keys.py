"""Configured keys: entries that say who a caller is, each fault at its place."""

import hashlib
import json
from typing import Any

import pytest

from sayso.app import access
from sayso.app.configured import Configured, ConfiguredKey
from sayso.app.key_limits import KEY_ID, PLAYBOOK
from sayso.config.api_keys import _ID, _PLAYBOOK
from sayso.settings import BadSetting, Settings

KEY = "say_front-desk_" + "x" * 43
ENTRY = {
    "id": "front-desk",
    "org": "acme",
    "permissions": ["playbook:read"],
    "playbooks": ["sales"],
    "sha256": hashlib.sha256(KEY.encode()).hexdigest(),
}


def configured(*entries: Any) -> tuple[ConfiguredKey, ...]:
    """The keys of a variable."""
    return Settings.given({"API_KEYS": json.dumps(entries)}).api_keys


def test_an_entry_is_a_caller() -> None:
    keys = Configured(configured(ENTRY))
    principal = keys.principal("front-desk", hashlib.sha256(KEY.encode()).digest())
    assert principal == access.Principal(
        caller_id="front-desk",
        org="acme",
        permissions=frozenset({access.Permission.PLAYBOOK_READ}),
        playbooks=frozenset({"sales"}),
    )
    assert keys.principal("front-desk", bytes(32)) is None
    assert keys.principal("another", bytes(32)) is None


def test_an_entry_may_be_limited_to_parties() -> None:
    (limited,) = configured(ENTRY | {"parties": ["sales@example.com", " The night desk "]})
    assert limited.principal.parties == frozenset({"sales@example.com", "The night desk"})
    (unlimited,) = configured(ENTRY)
    assert unlimited.principal.parties is None


def test_a_star_is_every_playbook_and_so_is_nothing() -> None:
    (starred,) = configured(ENTRY | {"playbooks": "*"})
    (silent,) = configured({name: value for name, value in ENTRY.items() if name != "playbooks"})
    assert starred.playbooks is silent.playbooks is None


@pytest.mark.parametrize(
    ("entries", "place"),
    [
        ([ENTRY | {"sha256": "secret"}], "API_KEYS[0].sha256 must be 64 hexadecimal digits"),
        ([ENTRY | {"sha256": "A" * 64}], "API_KEYS[0].sha256 must be 64 hexadecimal digits"),
        ([ENTRY | {"id": "Secret"}], "API_KEYS[0].id must be"),
        ([ENTRY | {"id": "local"}], "API_KEYS[0].id is reserved"),
        ([ENTRY | {"org": "local"}], "API_KEYS[0].org is reserved"),
        ([ENTRY | {"org": "a secret"}], "API_KEYS[0].org must be"),
        ([ENTRY | {"permissions": ["secret"]}], "API_KEYS[0].permissions[0] must be one of"),
        ([ENTRY | {"permissions": []}], "API_KEYS[0].permissions must be a list"),
        ([ENTRY | {"playbooks": []}], "API_KEYS[0].playbooks must be a list"),
        ([ENTRY | {"playbooks": ["Sales"]}], "API_KEYS[0].playbooks[0] must be"),
        ([ENTRY | {"parties": []}], "API_KEYS[0].parties must be a list of 1 to 16 parties"),
        ([ENTRY | {"parties": "secret"}], "API_KEYS[0].parties must be a list of 1 to 16 parties"),
        ([ENTRY | {"parties": ["secret"] * 17}], "API_KEYS[0].parties must be a list of 1 to 16 parties"),
        ([ENTRY | {"parties": ["desk", 7]}], "API_KEYS[0].parties[1] must be a party: a text"),
        ([ENTRY | {"parties": [" "]}], "API_KEYS[0].parties[0] must be a party, and is an empty text"),
        (
            [ENTRY | {"parties": ["a\x07secret"]}],
            "API_KEYS[0].parties[0] must be a party, and is a text with a control",
        ),
        ([ENTRY | {"key": "secret"}], "API_KEYS[0] has a member that no entry has"),
        ([{"id": "x"}], "API_KEYS[0] needs org"),
        ([ENTRY, ENTRY], "API_KEYS[1].id is the id of an entry before it"),
        (["secret"], "API_KEYS[0] must be an entry"),
    ],
)
def test_a_fault_is_told_at_its_place_without_the_value(entries: list[Any], place: str) -> None:
    with pytest.raises(BadSetting) as refused:
        configured(*entries)
    assert str(refused.value).startswith(place)
    assert "secret" not in str(refused.value).lower()


@pytest.mark.parametrize("text", ["{", "{}", '"secret"', "[1", "[{}] x"])
def test_what_is_no_list_is_refused(text: str) -> None:
    with pytest.raises(BadSetting, match=r"^API_KEYS"):
        Settings.given({"API_KEYS": text})


def test_ids_are_those_that_the_store_has_too() -> None:
    assert (KEY_ID.pattern, PLAYBOOK.pattern) == (_ID, _PLAYBOOK)


def test_local_mode_has_no_keys() -> None:
    with pytest.raises(BadSetting, match=r"^API_KEYS is for a server with keys"):
        Settings.given({"API_KEYS": json.dumps([ENTRY]), "LOCAL_MODE": "true"})
