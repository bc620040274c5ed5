"""What well-known programs do that a person should know of. It judges nothing: rules and the catalogue do.

A note too many costs a glance, so options count wherever they stand.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from adjudicator.domain.request import Trigger
from adjudicator.facets.shell.catalogue import shipped_catalogue
from adjudicator.facets.shell.inner import base_name

_LOOKED_AT = 3  # words that may be the subcommand of a program whose options are not known
_PREFIXES = frozenset({"+", ":"})


@dataclass(frozen=True, slots=True)
class Danger:
    """What calls of some programs do; with these subcommands or these options only, where there are any.

    A subcommand may be two words. An option `-x` counts inside of clusters too; `+` and `:` are beginnings
    of operands.
    """

    trigger: Trigger
    does: str
    programs: frozenset[str]
    subcommands: frozenset[str] = frozenset()
    options: frozenset[str] = frozenset()


def dangers_of(words: Sequence[str]) -> Iterator[tuple[Danger, str]]:
    """What a command with these words does, each with the words that tell it, none of them the caller's."""
    name = base_name(words[0]).casefold().removesuffix(".exe")
    program = name if name in _BY_PROGRAM else name.partition(".")[0]  # `mkfs.ext4`
    for danger in _BY_PROGRAM.get(program, ()):
        subcommand = _subcommand(words, name, danger.subcommands)
        option = _option(words, danger.options)
        if subcommand is not None and option is not None:
            yield danger, " ".join(part for part in (program, subcommand, option) if part)


def _subcommand(words: Sequence[str], name: str, wanted: frozenset[str]) -> str | None:
    """Which of the wanted ones is called: empty when none is wanted, None when it is another one."""
    if not wanted:
        return ""
    program = shipped_catalogue().get(name)
    if program is not None and (program.known or program.subcommands):
        operands = list(words[program.operand(words) :][:2])
        tried = operands[:1]
    else:
        operands = [word for word in words[1:] if word[:1] != "-"][:_LOOKED_AT]
        tried = operands
    pairs = [f"{first} {second}" for first, second in pairwise(operands)]
    return next((each for each in [*pairs, *tried] if each in wanted), None)


def _option(words: Sequence[str], wanted: frozenset[str]) -> str | None:
    if not wanted:
        return ""
    return next((option for word in words[1:] for option in wanted if _is_option(word, option)), None)


def _is_option(word: str, option: str) -> bool:
    if word == option or (option in _PREFIXES and word.startswith(option)):
        return True
    if option.startswith("--"):
        return option != "--" and word.partition("=")[0] == option
    is_cluster = word[:1] == "-" and word[1:2].isalpha()
    return is_cluster and option[:1] == "-" and len(option) == len("-x") and option[1] in word[1:]


def _danger(trigger: Trigger, does: str, programs: str, subcommands: str = "", options: str = "") -> Danger:
    """Subcommands are separated by commas, the others by blanks."""
    below = frozenset(each.strip() for each in subcommands.split(",") if each.strip())
    return Danger(trigger, does, frozenset(programs.split()), below, frozenset(options.split()))


_SECURITY, _DESTRUCTIVE = Trigger.SECURITY_VIOLATION, Trigger.DESTRUCTIVE_ACTION
_NETWORK = Trigger.EXTERNAL_NETWORK_CALL
_DELETES, _OVERWRITES, _DISCARDS = "deletes files", "overwrites in place", "throws changes away"
_REWRITES, _REMOVES = "rewrites history", "deletes what others may use"
_REACHES = "reaches the network"

_DANGERS = (
    _danger(_SECURITY, "runs as another user", "sudo su doas pkexec runuser gosu setpriv sudoedit"),
    _danger(_SECURITY, "leaves its own surroundings", "chroot nsenter"),
    _danger(_SECURITY, "leaves its own surroundings", "docker podman", "run, exec", "--privileged"),
    _danger(_DESTRUCTIVE, _DELETES, "rm rmdir unlink shred srm wipe del erase rd remove-item"),
    _danger(_DESTRUCTIVE, _DELETES, "find gfind", "", "-delete"),
    _danger(
        _DESTRUCTIVE,
        _DELETES,
        "rsync",
        "",
        "--delete --del --delete-before --delete-after --delete-during --delete-delay --delete-excluded "
        "--remove-source-files",
    ),
    _danger(_DESTRUCTIVE, _DELETES, "git", "clean, rm"),
    _danger(_DESTRUCTIVE, _OVERWRITES, "dd truncate mkfs mke2fs mkswap wipefs fdisk sfdisk sgdisk parted"),
    _danger(
        _DESTRUCTIVE,
        "changes whole folders",
        "chmod chown chgrp chattr setfacl chcon",
        "",
        "-R --recursive",
    ),
    _danger(_DESTRUCTIVE, "ends processes", "kill pkill killall taskkill skill"),
    _danger(_DESTRUCTIVE, "stops the machine or its services", "shutdown reboot halt poweroff"),
    _danger(
        _DESTRUCTIVE, "stops the machine or its services", "systemctl", "stop, disable, mask, kill, isolate"
    ),
    _danger(_DESTRUCTIVE, _DISCARDS, "git", "reset", "--hard --merge --keep"),
    _danger(_DESTRUCTIVE, _DISCARDS, "git", "checkout, switch", "-- . -f --force --discard-changes"),
    _danger(_DESTRUCTIVE, _DISCARDS, "git", "restore, stash drop, stash clear"),
    _danger(_DESTRUCTIVE, _REMOVES, "git", "branch, tag", "-d -D --delete"),
    _danger(
        _DESTRUCTIVE,
        _REWRITES,
        "git",
        "push",
        "-f --force --force-with-lease --force-if-includes --mirror --prune -d --delete + :",
    ),
    _danger(_DESTRUCTIVE, _REWRITES, "git", "rebase, filter-branch, filter-repo, replace, update-ref"),
    _danger(_DESTRUCTIVE, _REWRITES, "git", "commit", "--amend"),
    _danger(_DESTRUCTIVE, _REWRITES, "git", "reflog expire, reflog delete, gc", ""),
    _danger(
        _DESTRUCTIVE,
        _REMOVES,
        "docker podman",
        "rm, rmi, kill, system prune, volume rm, volume prune, image rm, image prune, container rm, "
        "container prune, network rm, compose down",
    ),
    _danger(_DESTRUCTIVE, _REMOVES, "kubectl oc", "delete, drain, replace"),
    _danger(_DESTRUCTIVE, _REMOVES, "terraform tofu pulumi", "destroy"),
    _danger(_DESTRUCTIVE, _REMOVES, "helm", "uninstall, delete"),
    _danger(_DESTRUCTIVE, _REMOVES, "aws", "s3 rm, s3 rb"),
    _danger(_DESTRUCTIVE, _REMOVES, "gcloud az gh", "delete"),
    _danger(_DESTRUCTIVE, _REMOVES, "gh", "repo delete, release delete"),
    _danger(_DESTRUCTIVE, _REMOVES, "dropdb dropuser userdel groupdel deluser delgroup"),
    _danger(_DESTRUCTIVE, _REMOVES, "crontab", "", "-r"),
    _danger(_DESTRUCTIVE, _REMOVES, "redis-cli", "flushall, flushdb, FLUSHALL, FLUSHDB"),
    _danger(_DESTRUCTIVE, "removes packages", "apt apt-get dnf yum brew zypper", "remove, purge, erase"),
    _danger(_DESTRUCTIVE, "removes packages", "pip pip3 npm yarn pnpm gem cargo", "uninstall"),
    _danger(
        _NETWORK,
        _REACHES,
        "curl wget ssh scp sftp ftp tftp nc ncat netcat socat telnet mosh aria2c ping dig nslookup host "
        "whois http https xh rclone rsync invoke-webrequest aws gcloud az gh twine npx uvx",
    ),
    _danger(_NETWORK, _REACHES, "git", "push, fetch, pull, clone, ls-remote, submodule, remote update"),
    _danger(_NETWORK, _REACHES, "pip pip3 uv pipx poetry", "install, download, add, sync, pip, publish"),
    _danger(
        _NETWORK,
        _REACHES,
        "npm pnpm yarn bun",
        "install, i, ci, add, update, publish, exec, dlx, audit, create",
    ),
    _danger(_NETWORK, _REACHES, "cargo", "install, publish, fetch, update, add"),
    _danger(_NETWORK, _REACHES, "go", "get, install, mod download"),
    _danger(_NETWORK, _REACHES, "gem", "install, push, fetch"),
    _danger(_NETWORK, _REACHES, "apt apt-get dnf yum brew zypper apk", "install, update, upgrade, add"),
    _danger(_NETWORK, _REACHES, "docker podman", "pull, push, login, build, run"),
)
_BY_PROGRAM = {
    name: [danger for danger in _DANGERS if name in danger.programs]
    for name in frozenset().union(*(danger.programs for danger in _DANGERS))
}
