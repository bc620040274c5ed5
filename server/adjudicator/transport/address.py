"""Where a listener may be: loopback or a Unix socket, nowhere else, and never where another one is."""

import errno
import ipaddress
import socket
from pathlib import Path

from adjudicator.domain.errors import malformed

_HOSTS = {"localhost": "127.0.0.1"}
_HIGHEST_PORT = 65535


def checked(address: str, name: str) -> str:
    """The address in gRPC's form; raises MALFORMED_REQUEST, naming the setting and what is wrong.

    Without TLS and authentication of agents nothing but loopback is safe, so nothing else is accepted.
    """
    if address.startswith("unix:"):
        _check_socket(Path(address.removeprefix("unix:")), name)
        return address
    host, _, port = address.rpartition(":")
    if not port.isascii() or not port.isdigit() or int(port) > _HIGHEST_PORT:
        raise malformed(name, f"{address!a} is not HOST:PORT or unix:/PATH")
    bare = _HOSTS.get(host, host).removeprefix("[").removesuffix("]")
    try:
        ip = ipaddress.ip_address(bare)
    except ValueError as error:
        raise malformed(name, f"{address!a}: write an IP address or localhost before the port") from error
    if not ip.is_loopback:
        raise malformed(
            name,
            f"{address!a} is not loopback: without TLS it can be 127.0.0.1, [::1] or unix:/PATH only",
        )
    if int(port):
        _check_port(ip, int(port), name)
    return f"[{ip}]:{port}" if ip.version == 6 else f"{ip}:{port}"  # noqa: PLR2004 - IPv6


def _option(name: str) -> str:
    """The command line's option for a setting."""
    return name.replace("_", "-")


def _check_port(ip: ipaddress.IPv4Address | ipaddress.IPv6Address, port: int, name: str) -> None:
    family = socket.AF_INET6 if ip.version == 6 else socket.AF_INET  # noqa: PLR2004 - IPv6
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((str(ip), port))
        except OSError as error:
            why = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be used: {error.strerror}"
            raise malformed(
                name,
                f"port {port} on {ip} {why}; stop what holds it, or choose another with --{_option(name)}",
            ) from error


def _check_socket(path: Path, name: str) -> None:
    if "%" in str(path):
        raise malformed(name, f"unix:{path} has a % in it, which stands for something else in an address")
    if not path.is_absolute():
        raise malformed(name, f"unix:{path} has to be an absolute path")
    if not path.parent.is_dir():
        raise malformed(name, f"there is no folder {path.parent}")
    if not path.exists():
        return
    if not path.is_socket():
        raise malformed(name, f"{path} exists and is not a socket")
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            return  # left behind by a process that is gone; it is taken over
        except OSError as error:
            raise malformed(name, f"{path} cannot be used: {error.strerror}") from error
    raise malformed(
        name, f"{path} is in use by another process; stop it, or choose another with --{_option(name)}"
    )
