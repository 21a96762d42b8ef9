"""TLS: a certificate that is read at the start in plain words, and again when it was renewed."""

import asyncio
import ssl
from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse

from sayso.http.tls import BadCertificate, Certificate
from tests import certificates
from tests.listening import listening


async def fetched(port: int, trusted: Path) -> bytes:
    """What the server at a port says to whoever trusts a certificate alone."""
    context = ssl.create_default_context(cafile=str(trusted))
    reader, writer = await asyncio.open_connection("localhost", port, ssl=context)
    writer.write(b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
    said = await reader.read()
    writer.close()
    return said


def put(pair: certificates.Pair, used: certificates.Pair) -> None:
    """Let the files that are used be those of the pair."""
    for source, target in zip(pair, used, strict=True):
        target.write_bytes(source.read_bytes())


@pytest.mark.anyio
async def test_a_renewed_certificate_counts_from_the_next_connection_on(tmp_path: Path) -> None:
    one, two = certificates.made(tmp_path, "one"), certificates.made(tmp_path, "two")
    used = certificates.Pair(tmp_path / "used.pem", tmp_path / "used.key")
    put(one, used)
    certificate = Certificate(*used)
    async with listening(PlainTextResponse("hello"), certificate.context) as port:
        assert (await fetched(port, one.certificate)).endswith(b"hello")
        put(two, used)
        certificate.renew()
        assert (await fetched(port, two.certificate)).endswith(b"hello")
        with pytest.raises(ssl.SSLCertVerificationError):
            await fetched(port, one.certificate)


def test_what_cannot_be_a_certificate_is_told_in_plain_words(tmp_path: Path) -> None:
    one, two = certificates.made(tmp_path, "one"), certificates.made(tmp_path, "two")
    empty = tmp_path / "empty"
    empty.write_text("")
    said = {
        "TLS_CERTIFICATE names no file": (tmp_path / "nowhere", one.key),
        "TLS_KEY names no file": (one.certificate, tmp_path),
        "TLS_KEY is not the key": (one.certificate, two.key),
        "TLS_KEY is encrypted": (one.certificate, certificates.locked(one, tmp_path)),
        "TLS_CERTIFICATE or TLS_KEY is not in the form PEM": (empty, one.key),
    }
    for words, files in said.items():
        with pytest.raises(BadCertificate, match=f"^{words}"):
            Certificate(*files)


@pytest.mark.anyio
async def test_a_renewal_that_fails_leaves_the_old_one(tmp_path: Path) -> None:
    one, two = certificates.made(tmp_path, "one"), certificates.made(tmp_path, "two")
    used = certificates.Pair(tmp_path / "used.pem", tmp_path / "used.key")
    put(one, used)
    certificate = Certificate(*used)
    async with listening(PlainTextResponse("hello"), certificate.context) as port:
        used.certificate.write_bytes(two.certificate.read_bytes())  # half of a renewal: the key is still the old one
        with pytest.raises(BadCertificate):
            certificate.renew()
        assert (await fetched(port, one.certificate)).endswith(b"hello")


def test_old_versions_of_tls_are_not_spoken(tmp_path: Path) -> None:
    assert Certificate(*certificates.made(tmp_path)).context.minimum_version is ssl.TLSVersion.TLSv1_2
