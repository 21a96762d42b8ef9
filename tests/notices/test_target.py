"""The setting NOTIFY: what it takes, what it refuses, and that it never shows a password."""

import pytest

from sayso.notify.addresses import is_public
from sayso.target import MailTarget, NotATarget, WebhookTarget, target


def test_a_webhook() -> None:
    found = target("https://hooks.example.com/sayso?key=abc")
    assert found == WebhookTarget(
        url="https://hooks.example.com/sayso?key=abc", host="hooks.example.com", port=443, is_encrypted=True
    )
    assert found.shown == "https://hooks.example.com/sayso"


def test_a_mail_server() -> None:
    found = target(
        "smtps://desk:p%40ss@mail.example.com?from=sayso@example.com&to=desk@example.com&to=lead@example.com"
    )
    assert isinstance(found, MailTarget)
    assert (found.user, found.password, found.port) == ("desk", "p@ss", 465)
    assert found.recipients == ("desk@example.com", "lead@example.com")
    assert "p@ss" not in found.shown + repr(found)


@pytest.mark.parametrize(
    "text",
    [
        "hooks.example.com",
        "ftp://example.com",
        "https:///path",
        "https://user:pass@example.com/",
        "https://example.com/#part",
        "https://example.com:99999/",
        "https://exa mple.com/",
        "smtps://mail.example.com",
        "smtps://mail.example.com?from=a@example.com",
        "smtps://mail.example.com?from=a@example.com&to=nobody",
        "smtps://mail.example.com?from=a@example.com&to=a@example.com&cc=b@example.com",
        "smtps://mail.example.com?from=a@example.com&to=a@example.com%0aBcc:%20b@example.com",
        "smtps://mail.example.com?from=a@example.com" + "&to=a@example.com" * 11,
    ],
)
def test_what_is_none_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(NotATarget) as caught:
        target(text)
    assert text not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("93.184.215.14", True),
        ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("239.1.2.3", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("fc00::1", False),
        ("::ffff:10.0.0.1", False),
        ("::ffff:93.184.215.14", True),
        ("64:ff9b::a00:1", False),
        ("64:ff9b::5db8:d70e", True),
        ("2002:a00:1::", False),
        ("ff02::1", False),
    ],
)
def test_public_addresses_are_told_from_others(address: str, expected: bool) -> None:
    assert is_public(address) is expected
