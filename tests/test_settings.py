"""Settings: read once, refused by name, never by value."""

import re
from pathlib import Path

import pytest

from sayso.settings import BadSetting, Settings, is_loopback

DATA = {"SAYSO_DATA": "/srv/sayso"}
URL = "postgresql://clerk:secret@db.example.com:5432/sayso?sslmode=verify-full"
DATABASE = {"SAYSO_DATABASE": URL}


def test_the_defaults() -> None:
    settings = Settings.from_environment(DATA)
    assert settings == Settings(data=Path("/srv/sayso"))
    assert (settings.host, settings.port, settings.local) == ("127.0.0.1", 8080, False)
    assert (settings.open_requests, settings.sweep_interval_ms, settings.shards) == (10_000, 1_000, None)
    assert settings.problem_base == "https://on.auto/problems/"


def test_every_name_of_the_environment_is_read() -> None:
    settings = Settings.from_environment(
        {
            "SAYSO_DATA": "store",
            "HOST": "::1",
            "PORT": "0",
            "LOCAL_MODE": "true",
            "ALLOWED_ORIGINS": "https://App.example.com, http://localhost:3000,",
            "INTERACTION_OPEN_REQUESTS": "1000000",
            "ORCHESTRATION_SWEEP_INTERVAL": "PT0.01S",
            "PROBLEM_BASE": "https://example.com/problems/",
            "SAYSO_SHARDS": "4",
        }
    )
    assert settings == Settings(
        data=Path("store"),
        host="::1",
        port=0,
        local=True,
        allowed_origins=("https://app.example.com", "http://localhost:3000"),
        open_requests=1_000_000,
        sweep_interval_ms=10,
        problem_base="https://example.com/problems/",
        shards=4,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "65536"),
        ("PORT", "-1"),
        ("PORT", "\uff18\uff10"),
        ("PORT", "80 "),
        ("LOCAL_MODE", "yes"),
        ("LOCAL_MODE", "True"),
        ("ALLOWED_ORIGINS", "*"),
        ("ALLOWED_ORIGINS", "null"),
        ("ALLOWED_ORIGINS", "https://app.example.com/"),
        ("ALLOWED_ORIGINS", "app.example.com"),
        ("INTERACTION_OPEN_REQUESTS", "0"),
        ("INTERACTION_OPEN_REQUESTS", "1000001"),
        ("INTERACTION_OPEN_REQUESTS", "ten"),
        ("ORCHESTRATION_SWEEP_INTERVAL", "PT0.009S"),
        ("ORCHESTRATION_SWEEP_INTERVAL", "PT61S"),
        ("ORCHESTRATION_SWEEP_INTERVAL", "PT"),
        ("ORCHESTRATION_SWEEP_INTERVAL", "PT1H"),
        ("ORCHESTRATION_SWEEP_INTERVAL", "1"),
        ("PROBLEM_BASE", "https://example.com/problems"),
        ("SAYSO_SHARDS", "0"),
        ("SAYSO_SHARDS", "257"),
        ("SAYSO_DATABASE_POOLED", "1"),
        ("SAYSO_DATABASE_DIRECT", "db.example.com"),
    ],
)
def test_a_bad_value_is_refused_by_its_setting(name: str, value: str) -> None:
    with pytest.raises(BadSetting) as refused:
        Settings.from_environment(DATA | {name: value})
    assert refused.value.setting == name
    assert str(refused.value).startswith(name)


NAMES = ["PORT", "LOCAL_MODE", "ALLOWED_ORIGINS", "INTERACTION_OPEN_REQUESTS", "PROBLEM_BASE", "SAYSO_DATABASE_DIRECT"]


@pytest.mark.parametrize("name", NAMES)
def test_a_refusal_never_shows_the_value(name: str) -> None:
    with pytest.raises(BadSetting) as refused:
        Settings.from_environment(DATA | {name: "a secret in the wrong place"})
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("written", "milliseconds"), [("PT1S", 1_000), ("PT0.5S", 500), ("PT1M", 60_000), ("PT60S", 60_000)]
)
def test_the_sweep_interval_is_a_duration(written: str, milliseconds: int) -> None:
    assert Settings.from_environment(DATA | {"ORCHESTRATION_SWEEP_INTERVAL": written}).sweep_interval_ms == milliseconds


def test_what_is_empty_is_not_set() -> None:
    assert Settings.from_environment(DATA | {"PORT": "", "LOCAL_MODE": "", "ALLOWED_ORIGINS": ""}).port == 8080


def test_the_command_line_wins_where_it_says_something() -> None:
    settings = Settings.from_environment(DATA | {"PORT": "1"}, port=2, host=None, data=Path("else"))
    assert (settings.port, settings.host, settings.data) == (2, "127.0.0.1", Path("else"))


def test_a_start_without_data_is_refused_but_in_local_mode() -> None:
    with pytest.raises(BadSetting, match="SAYSO_DATA"):
        Settings.from_environment({})
    assert Settings.from_environment({"LOCAL_MODE": "true"}).data is None


def test_the_process_environment_is_read_where_none_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAYSO_DATA", "here")
    assert Settings.from_environment().data == Path("here")


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "example.com", "::", "localhost.evil.example"])
def test_local_mode_binds_only_a_loopback_address(host: str) -> None:
    assert not is_loopback(host)
    with pytest.raises(BadSetting, match="LOCAL_MODE"):
        Settings(local=True, host=host)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]"])
def test_loopback_addresses_are_known(host: str) -> None:
    assert is_loopback(host)
    assert Settings(local=True, host=host).local


def test_a_database_is_a_store_as_a_folder_is() -> None:
    settings = Settings.from_environment(
        DATABASE | {"SAYSO_DATABASE_DIRECT": "postgres://db.example.com/sayso", "SAYSO_DATABASE_POOLED": "true"}
    )
    assert (settings.data, settings.database, settings.database_pooled) == (None, URL, True)
    assert settings.database_direct == "postgres://db.example.com/sayso"


def test_a_store_is_one_folder_or_one_database() -> None:
    with pytest.raises(BadSetting, match="SAYSO_DATABASE and SAYSO_DATA name two stores") as refused:
        Settings.from_environment(DATA | DATABASE)
    assert "secret" not in str(refused.value)
    with pytest.raises(BadSetting, match="two stores"):
        Settings.from_environment({}, data=Path("here"), database=URL)


def test_a_store_that_the_command_line_names_sets_that_of_the_environment_aside() -> None:
    assert Settings.from_environment(DATABASE, data=Path("here")).database is None
    assert Settings.from_environment(DATA, database=URL).data is None


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (URL, "postgresql://db.example.com/sayso"),
        ("postgres://db.example.com", "postgresql://db.example.com/"),
        ("postgresql:///sayso?host=/run/postgresql", "postgresql:///sayso"),
        ("postgresql://clerk@[::1]:5432/sayso", "postgresql://[::1]/sayso"),
        ("postgresql://clerk:se%40cret@one:1,two:2/sayso?user=other&password=secret", "postgresql://one,two/sayso"),
    ],
)
def test_of_a_database_its_host_and_its_name_are_shown(url: str, shown: str) -> None:
    settings = Settings(database=url)
    assert settings.store == shown
    assert not {"secret", "clerk"} & set(re.split(r"\W", repr(settings)))


@pytest.mark.parametrize(
    "url",
    [
        "sayso",
        "mysql://db.example.com/sayso",
        "postgresql://clerk:sec@ret@db.example.com/sayso",
        "postgresql://clerk:12/34@db.example.com/sayso",
        "postgresql://clerk:12?a=34@db.example.com/sayso",
        "postgresql://clerk:12#34@db.example.com/sayso",
        "postgresql://db.example.com:secret/sayso",
        "postgresql://db.example.com/sayso?secret",
        "postgresql://db.example.com/say so",
        "host=db.example.com password=secret",
    ],
)
def test_an_address_that_can_be_read_in_two_ways_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(BadSetting, match=r"^SAYSO_DATABASE must be a URL such as postgresql://") as refused:
        Settings.from_environment({"SAYSO_DATABASE": url})
    assert url not in str(refused.value)
    assert "secret" not in str(refused.value)
