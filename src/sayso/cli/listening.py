"""The socket a server listens on, taken before anything else starts, so that a taken port is found out first."""

import errno
import socket

from sayso.cli.refusals import Refused, not_possible

PORTS_TRIED = 11
BACKLOG = 2048


def listening(host: str, port: int, *, next_free: bool) -> socket.socket:
    """A socket that listens at host and port; with ``next_free``, at the first free one of it and the next ten."""
    last = min(port + PORTS_TRIED - 1, 65_535) if next_free and port else port
    for candidate in range(port, last + 1):
        sock = _bound(host, candidate)
        if sock is not None:
            return sock
    ports = f"{port}" if last == port else f"{port} to {last}"
    raise not_possible(f"Cannot listen at {host}, port {ports}: taken by other programs.", "Say another with --port.")


def url(host: str, sock: socket.socket, *, tls: bool = False, prefix: str = "") -> str:
    """Where the socket is reached, as a person types it."""
    name = f"[{host}]" if ":" in host else host
    return f"{'https' if tls else 'http'}://{name}:{sock.getsockname()[1]}{prefix}"


def _bound(host: str, port: int) -> socket.socket | None:
    """The socket, listening; None when the port is taken."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (socket.gaierror, UnicodeError):
        raise _no_address() from None
    sock = socket.socket(family, kind, protocol)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(BACKLOG)
    except PermissionError:
        sock.close()
        raise not_possible(f"This user may not listen on port {port}.", "Say one from 1024 up with --port.") from None
    except OSError as fault:
        sock.close()
        if fault.errno == errno.EADDRINUSE:
            return None
        raise _no_address() from None
    return sock


def _no_address() -> Refused:
    # By its name and never by its value, which may be a secret pasted into the wrong place.
    return not_possible("HOST (or --host) is no address that this machine can listen at.", "Such as: 127.0.0.1")
