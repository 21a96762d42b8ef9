"""The configuration file: what it says, and every fault at its line and column, never with a value."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from sayso.config import file as config_file
from sayso.core import bounds
from sayso.settings import BadSetting, Settings

NONE: Mapping[str, str] = {}


def faults(tmp_path: Path, text: str, environ: Mapping[str, str] = NONE) -> list[str]:
    """What is wrong with a file, each without the folder that it is in."""
    file = tmp_path / "sayso.yaml"
    file.write_text(text)
    return [str(fault).removeprefix(f"{tmp_path}/") for fault in config_file.look(file, environ).faults]


def settings(tmp_path: Path, text: str, environ: Mapping[str, str] = NONE) -> Settings:
    """The settings of a file."""
    file = tmp_path / "sayso.yaml"
    file.write_text(text)
    return Settings.given(environ, config_file=file)


def test_a_key_is_the_setting_of_the_same_name(tmp_path: Path) -> None:
    text = "port: 8081\nallowed_origins:\n  - https://App.example.com\norchestration_sweep_interval: PT0.5S\n"
    found = settings(tmp_path, text)
    assert (found.port, found.sweep_interval_ms) == (8081, 500)
    assert found.allowed_origins == ("https://app.example.com",)


def test_a_set_variable_replaces_the_whole_key(tmp_path: Path) -> None:
    text = "allowed_origins: [https://one.example.com, https://two.example.com]\nport: 1\n"
    found = settings(tmp_path, text, {"ALLOWED_ORIGINS": "https://three.example.com", "PORT": ""})
    assert found.allowed_origins == ("https://three.example.com",)
    assert found.port == 1  # what is empty is not set
    assert found.sources == {"ALLOWED_ORIGINS": "the environment", "PORT": f"{tmp_path}/sayso.yaml:2:1"}


def test_the_command_line_wins_over_both(tmp_path: Path) -> None:
    file = tmp_path / "sayso.yaml"
    file.write_text("port: 1\nhost: here\n")
    found = Settings.given({"PORT": "2"}, config_file=file, port=3)
    assert (found.port, found.sources["PORT"]) == (3, "the command line")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("prot: 1\n", "sayso.yaml:1:1: 'prot' is no setting. Did you mean port?"),
        ("config_file: x\n", "sayso.yaml:1:1: config_file cannot be set in the file itself."),
        ("port: 70000\n", "sayso.yaml:1:1: port must be a whole number from 0 to 65,535."),
        ("host: x\nport: '80'\n", "sayso.yaml:2:1: port must be a whole number, without quotes."),
        ("local_mode: yes\n", "sayso.yaml:1:1: local_mode must be true or false, without quotes."),
        ("host: 1\n", "sayso.yaml:1:1: host must be a text."),
        ("port:\n", "sayso.yaml:1:1: port has no value: give it one, or leave it out."),
        ("port: 1\nport: 2\n", "sayso.yaml:2:1: The key is written twice; the first is at line 1."),
        ("port: &x 1\n", "sayso.yaml:1:7: An anchor (&) is not taken"),
        ("- port\n", "sayso.yaml:1:1: The file is written as keys with values"),
        ("port: 1\n---\nport: 2\n", "sayso.yaml:2:1: The file is one YAML document, and a second begins here."),
        ("host: 'a\n", "sayso.yaml:1:1: This line cannot be read. The quote that opens here is not closed."),
        ("host: a\x07b\n", "sayso.yaml:1:8: The character U+0007 cannot be part of it."),
        (
            "allowed_origins:\n  - https://a.example.com\n  - '*'\n",
            "sayso.yaml:3:5: allowed_origins[1] must be an origin",
        ),
        ("trusted_proxies: [10.0.0.1/8]\n", "sayso.yaml:1:19: trusted_proxies[0] must be an address or a range"),
        ("metrics_address: localhost:70000\n", "sayso.yaml:1:1: metrics_address must be a host and a port"),
        ("path_prefix: /sayso/\n", "sayso.yaml:1:1: path_prefix must be a path such as /sayso"),
        ("path_prefix: /a/../b\n", "sayso.yaml:1:1: path_prefix must be a path such as /sayso"),
        ("log_level: loud\n", "sayso.yaml:1:1: log_level must be one of debug, info, warning, error."),
        ("port: ${WEB_PORT}\n", "sayso.yaml:1:1: port names ${WEB_PORT}, which is not set in the environment."),
        ("host: a$b\n", "sayso.yaml:1:1: host has a $ that begins no reference"),
    ],
)
def test_a_fault_is_told_where_it_is(tmp_path: Path, text: str, fault: str) -> None:
    found = faults(tmp_path, text)
    assert len(found) == 1
    assert found[0].startswith(fault)


def test_every_fault_is_told_in_the_order_of_lines(tmp_path: Path) -> None:
    found = faults(tmp_path, "port: x\nhsot: 1\nlog_level: 3\n")
    assert [fault.split(":")[1] for fault in found] == ["1", "2", "3"]


def test_what_cannot_be_together_is_told_where_the_file_has_it(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"sayso\.yaml:2:1: rate_burst needs RATE_LIMIT"):
        settings(tmp_path, "port: 1\nrate_burst: 5\n")
    with pytest.raises(BadSetting, match=r"^TLS_KEY is missing"):
        settings(tmp_path, "port: 1\n", {"TLS_CERTIFICATE": "a.pem"})


SECRET = "hunter2-and-more"


@pytest.mark.parametrize(
    "text",
    [
        f"port: {SECRET}\n",
        f"log_level: {SECRET}\n",
        f"allowed_origins: [{SECRET}]\n",
        f"sayso_database: postgresql://clerk:{SECRET}@db.example.com/sayso\n",
        f"sayso_database: postgresql://db.example.com/sayso?password={SECRET}\n",
        f"api_keys: [{{id: {SECRET}_, org: acme, permissions: ['{SECRET}'], sha256: {SECRET}}}]\n",
        f"port: '{SECRET}\n",
        f"port: *{SECRET}\n",
        f"port: !!{SECRET} 1\n",
        f"port: [1, {SECRET}\n",
    ],
)
def test_no_fault_shows_a_value(tmp_path: Path, text: str) -> None:
    found = faults(tmp_path, text)
    assert found
    assert not [fault for fault in found if SECRET in fault]


def test_a_password_is_taken_from_the_environment_alone(tmp_path: Path) -> None:
    text = "sayso_database: postgresql://clerk:${PASSWORD}@db.example.com/sayso\n"
    found = settings(tmp_path, text, {"PASSWORD": "se%40cret"})
    assert found.database == "postgresql://clerk:se%40cret@db.example.com/sayso"
    assert found.shown("SAYSO_DATABASE") == "postgresql://db.example.com/sayso"
    assert faults(tmp_path, text.replace("${PASSWORD}", "se$$cret")) == [
        "sayso.yaml:1:1: sayso_database holds a password: write ${NAME} in its place, and set that in the environment."
    ]


def test_a_value_that_is_a_reference_is_read_as_the_variable_would_be(tmp_path: Path) -> None:
    text = "port: ${WEB_PORT:-8082}\nlocal_mode: ${LOCAL}\nallowed_origins: ${ORIGINS}\n"
    found = settings(tmp_path, text, {"LOCAL": "true", "ORIGINS": "https://a.example.com,https://b.example.com"})
    assert (found.port, found.local, len(found.allowed_origins)) == (8082, True, 2)


@pytest.mark.parametrize("key", ["host", "port", "sayso_data", "tls_key", "metrics_address", "log_level", "notify"])
def test_a_reference_that_fills_to_nothing_sets_nothing(tmp_path: Path, key: str) -> None:
    assert settings(tmp_path, f"{key}: ${{NONE:-}}\n") == settings(tmp_path, "")
    assert faults(tmp_path, f"{key}: ''\n") == [f"sayso.yaml:1:1: {key} has no value: give it one, or leave it out."]


def test_an_at_sign_in_the_path_is_no_password(tmp_path: Path) -> None:
    assert faults(tmp_path, "notify: https://hooks.example.com:8443/u/a@b\n") == []


def test_a_file_that_cannot_be_read_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"^CONFIG_FILE names no file that can be read: No such file"):
        Settings.given({"CONFIG_FILE": str(tmp_path / "nowhere.yaml")})
    (tmp_path / "sayso.yaml").write_bytes(b"port: 1\nhost: \xff\n")
    with pytest.raises(BadSetting, match=r"sayso\.yaml:2:1: The file is not UTF-8 here"):
        Settings.given({"CONFIG_FILE": str(tmp_path / "sayso.yaml")})


def test_a_file_larger_than_anybody_means_is_not_read_further(tmp_path: Path) -> None:
    (found,) = faults(tmp_path, "#" * (bounds.CONFIG_FILE_BYTES + 1))
    assert found == "sayso.yaml:1:1: The file is larger than 1,048,576 bytes."


def test_an_empty_file_sets_nothing(tmp_path: Path) -> None:
    assert settings(tmp_path, "# nothing yet\n") == Settings(config_file=tmp_path / "sayso.yaml")
