"""TLS: the server's certificate, read at the start and again when it was renewed."""

import ssl
from pathlib import Path


class BadCertificate(Exception):
    """The files are no certificate with its key, in words that name a setting."""


class Certificate:
    """A certificate with its key, in files. ``context`` is what a server is given; renewing changes it in place."""

    def __init__(self, certificate: Path, key: Path) -> None:
        self._certificate = certificate
        self._key = key
        self.context = self._read()

    def renew(self) -> None:
        """Read the files again: connections made from now on get what is in them. Raises and changes nothing."""
        self._read()  # what cannot be read leaves the old one in place
        self.context.load_cert_chain(self._certificate, self._key, password=_refuse_password)

    def _read(self) -> ssl.SSLContext:
        for setting, file in (("TLS_CERTIFICATE", self._certificate), ("TLS_KEY", self._key)):
            try:
                file.read_bytes()
            except OSError as fault:
                raise BadCertificate(f"{setting} names no file that can be read: {fault.strerror}.") from None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        try:
            context.load_cert_chain(self._certificate, self._key, password=_refuse_password)
        except _EncryptedKey:
            raise BadCertificate("TLS_KEY is encrypted: sayso takes a key without a password.") from None
        except ssl.SSLError as fault:
            raise BadCertificate(_words(fault)) from None
        return context


class _EncryptedKey(Exception):
    """Somebody would have to type a password."""


def _refuse_password() -> str:
    raise _EncryptedKey


def _words(fault: ssl.SSLError) -> str:
    if fault.reason == "KEY_VALUES_MISMATCH":
        return "TLS_KEY is not the key of the certificate in TLS_CERTIFICATE."
    return "TLS_CERTIFICATE or TLS_KEY is not in the form PEM: the certificate and those above it, and its private key."
