"""The published schema of the file takes what the reading takes, and refuses what it refuses."""

from pathlib import Path

import jsonschema_rs
import pytest
import yaml

from sayso.config import file as config_file
from sayso.config import published
from sayso.config.table import TABLE

SCHEMA = published.schema({one.name: "words" for one in TABLE})
VALIDATOR = jsonschema_rs.Draft202012Validator(SCHEMA)
ENVIRON = {"A": "1"}

TAKEN = [
    "{}",
    "port: 0",
    "port: ${A}",
    "local_mode: true",
    "host: '::1'",
    "allowed_origins: ['https://a.example.com:8443']",
    "rate_limit: 5",
    "log_format: pretty",
    "metrics_address: '[::1]:9090'",
    "trusted_proxies: [10.0.0.0/8, '::1']",
    "path_prefix: /a/b",
    "problem_base: https://example.com/problems/",
    "orchestration_sweep_interval: PT0.5S",
    "tls_certificate: a.pem",
    f"api_keys: [{{id: a, org: acme, permissions: ['playbook:read'], sha256: {'0' * 63}a}}]",
    f"api_keys: [{{id: a, org: acme, permissions: ['playbook:read'], parties: [' desk '], sha256: {'0' * 63}a}}]",
]
REFUSED = [
    "sayso_data: ''",
    "host: ''",
    "notify: ''",
    "tls_key: ''",
    "tls_certificate: ''",
    "sayso_database: ''",
    f"api_keys: [{{id: a, org: acme, permissions: ['playbook:read'], parties: [], sha256: {'0' * 63}a}}]",
    f"api_keys: [{{id: a, org: acme, permissions: ['playbook:read'], parties: null, sha256: {'0' * 63}a}}]",
    f"api_keys: [{{id: a, org: acme, permissions: ['playbook:read'], parties: [' '], sha256: {'0' * 63}a}}]",
    f"api_keys: [{{id: a, org: acme, permissions: ['playbook:read'], parties: [\"a\\tb\"], sha256: {'0' * 63}a}}]",
    "prot: 1",
    "port: -1",
    "port: '1'",
    "port: 1.5",
    "port: null",
    "local_mode: 'true'",
    "allowed_origins: https://a.example.com",
    "allowed_origins: ['*']",
    "rate_limit: 0",
    "log_format: xml",
    "metrics_address: '9090'",
    "path_prefix: sayso",
    "path_prefix: /a/./b",
    "problem_base: example.com",
    "api_keys: {}",
    f"api_keys: [{{id: A, org: acme, permissions: ['playbook:read'], sha256: {'0' * 63}a}}]",
    f"api_keys: [{{id: a, org: acme, permissions: [], sha256: {'0' * 63}a}}]",
    f"api_keys: [{{id: a, org: acme, permissions: ['playbook:read'], sha256: {'0' * 63}a, note: x}}]",
]


@pytest.mark.parametrize(("text", "is_taken"), [(text, True) for text in TAKEN] + [(text, False) for text in REFUSED])
def test_schema_and_reading_agree(tmp_path: Path, text: str, is_taken: bool) -> None:
    file = tmp_path / "sayso.yaml"
    file.write_text(text)
    assert (not config_file.look(file, ENVIRON).faults) is is_taken
    assert VALIDATOR.is_valid(yaml.safe_load(text)) is is_taken


def test_the_schema_has_every_setting() -> None:
    assert list(SCHEMA["properties"]) == [one.name.lower() for one in TABLE]
