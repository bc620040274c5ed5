"""The catalogue: each entry makes the calls opaque that it is there for, in every spelling."""

from itertools import chain

import pytest
from adjudicator.domain.facet import Opacity
from adjudicator.facets.shell.catalogue import shipped_catalogue, shipped_programs
from command_lines import codes, commands, facets, full, verdict

PROGRAMS = shipped_programs()
CLOSERS = {"[": ["]"], "[[": ["]]"]}
IDS = [program.names[0] for program in PROGRAMS]


def each_call():
    """Every entry and subcommand with the words that lead to it."""
    for program in PROGRAMS:
        for name in program.names:
            yield program, [name]
        for name, below in program.subcommands.items():
            yield below, [program.names[0], name]


def spellings(flag):
    """How a flag may be written so that it still means the same."""
    yield [flag]
    yield [flag, "x"]
    if flag.startswith("--"):
        yield [f"{flag}=x"]
        yield ["a", f"{flag}=x"]
    elif len(flag) == 2 and flag[0] == "-":
        yield [f"{flag}x"]


@pytest.mark.parametrize("program", PROGRAMS, ids=IDS)
def test_each_entry_makes_its_calls_opaque(program):
    """Every flag that runs, writes or lists makes the call opaque, in each spelling; so does `always`."""
    for entry, words in [
        each for each in each_call() if each[0] in (program, *program.subcommands.values())
    ]:
        if entry.always is not None:
            assert codes(" ".join([*words, "x"])) & {"PROGRAM_RUN", "OPERANDS"}, words
            continue
        for flag in chain(entry.runs, entry.lists):
            for spelling in spellings(flag):
                line = " ".join([*words, *spelling, *CLOSERS.get(words[0], [])])
                assert codes(line) & {"PROGRAM_RUN", "OPERANDS"}, line


@pytest.mark.parametrize("program", PROGRAMS, ids=IDS)
def test_each_entry_is_reached_by_its_name_alone(program):
    """A name belongs to one entry, by its path and with a version behind it too."""
    catalogue = shipped_catalogue()
    for name in program.names:
        assert catalogue.get(name) == program
    assert [name for other in PROGRAMS for name in other.names].count(program.names[0]) == 1


ABBREVIATED = [
    "sort --compress-pr sh f",
    "sort --comp=sh f",
    "tar --to-c sh -xf a",
    "tar --use-compress-prog=sh -xf a",
    "rg --hostname-b sh x",
    "wc --files0=x",
    "git log --ext-d",
    "git grep --open-files sh x",
    "git fetch --upload-p sh",
    "rsync --rsh=x a b",
]


@pytest.mark.parametrize("line", ABBREVIATED)
def test_a_long_option_is_found_when_it_is_shortened(line):
    """Programs take a long option by its beginning, so the catalogue does too."""
    assert codes(line) <= {"PROGRAM_RUN", "OPERANDS"}
    assert codes(line)


CLUSTERED = [
    "sort -ro f",
    "tar -xzIf a b",
    "tar xIf a b",
    "curl -sSo f u",
    "sed -ni p f",
    "rg -nz x",
    "perl -we 1",
    "man -kP sh x",
]


@pytest.mark.parametrize("line", CLUSTERED)
def test_a_short_option_is_found_in_a_cluster(line):
    """Letters that stand together are so many options."""
    assert codes(line) & {"PROGRAM_RUN", "OPERANDS"}


HARMLESS = [
    "git status",
    "git --no-pager log --oneline -5",
    "git diff HEAD~1 -- src/a.py",
    "git commit -m 'a: b'",
    "git push origin main",
    "sort -k2,2n -r f",
    "tar -xzf a.tgz",
    "grep -rn TODO src --include=x.py",
    "grep -rne TODO src",
    "rg -n x src",
    "find . -name 'a*' -type f -print",
    "sed -n 1,20p f",
    "sed 's/a/b/g; 3d' f",
    "sed -n -e '/x/,/y/p' f",
    "awk '{print $1}' f",
    "awk -F: 'NR==3 {print $2, $3}' f",
    "python -m pytest -q tests",
    "python3.12 tools/lint.py --fix",
    "node build.js",
    "make test",
    "cargo build --release",
    "go test ./...",
    "npm ls",
    "npm test",
    "npm run build -- --watch",
    "yarn test",
    "pnpm run lint",
    "docker ps -a",
    "kubectl -n x get pods",
    "systemctl --user status x",
    "curl -s http://x.test/",
    "curl -w '%{http_code}' http://x.test/",
    "bash build.sh",
    "[ -f x ]",
    "command -v git",
    "sudo apt update",
    "less f",
    "python --version",
    "git branch -a",
    "git remote -v",
    "uniq -c -f 1 a",
    "xxd -l 16 a",
    "read -ra parts",
    "wait",
    "python -m json.tool x",
    "TZ=Europe/Paris date",
]


@pytest.mark.parametrize("line", HARMLESS)
def test_a_plain_call_stays_known(line):
    """The catalogue does not make everyday calls opaque, or nobody could allow them."""
    assert codes(line) == set()


DANGEROUS = [
    "git -c core.pager=sh log",
    "git --exec-path=/x log",
    "git st",
    "git bisect run sh x",
    "git rebase -x sh main",
    "git submodule foreach sh",
    "git grep -Osh x",
    "git config alias.x '!sh'",
    "gh alias set x y",
    "gh my-extension",
    "make SHELL=sh",
    "make 'A=$(shell id)'",
    "git clone 'ext::sh -c id' x",
    "sudo PATH=/x ls",
    "nmap -oN/x h",
    "ssh -oProxyCommand=sh h",
    "scp -S sh a h:",
    "npx x",
    "npm install x",
    "npm ci",
    "npm run x --script-shell sh",
    "npm --script-shell=sh test",
    "npm --prefix /x test",
    "npm exec x",
    "yarn build",
    "pip install x",
    "cargo run",
    "cargo my-plugin",
    "go generate",
    "go test -exec sh ./...",
    "vim -c '!sh' x",
    "sed -i s/a/b/ f",
    "sed 'w f' g",
    "sed 's/a/b/w f' g",
    "sed 's/a/b/;e id' g",
    "sed '1e id' g",
    "sed '/x/{s/a/id/e}' g",
    "sed -f s g",
    "sed --expression=e g",
    "sed -n '$!N;e' g",
    "awk '{print > \"f\"}' g",
    "awk '{\"id\" | getline}' g",
    "awk '{print | \"sh\"}' g",
    "awk -f p g",
    "awk -i inplace 1 g",
    "gawk '@load \"x\"' g",
    "python -",
    "python -Bc 1",
    "perl -ne 1 f",
    "ruby",
    "busybox sh",
    "xargs rm",
    "env -S 'rm x'",
    "env -i ls",
    "env -u PATH ls",
    "exec -a x ls",
    "command -p ls",
    "bash --rcfile x -c ls",
    "bash -O extglob -c ls",
    "bash --init-file x script",
    "bash -i -c ls",
    "sh -s < f",
    "cat f | sh",
    "timeout --unknown 5 ls",
    "test -v 'a[$(id)]'",
    "[ 'a[$(id)]' -eq 1 ]",
    "[[ 'a[$(id)]' -eq 1 ]]",
    "printf -v 'a[$(id)]' x",
    "read 'a[$(id)]'",
    "unset 'a[$(id)]'",
    "let 'a[$(id)]=1'",
    "mapfile -C id x",
    "trap 'rm x' EXIT",
    "enable -f x.so y",
    "hash -p /x ls",
    "fc -s",
    "curl -K c u",
    "curl -o f u",
    "curl -w '%{http_code}%output{f}' u",
    "curl --unix-socket /var/run/docker.sock http://x.test/",
    "wget u",
    "dd --help; xargs -a f ls",
    "split --filter=sh f",
    "docker run x",
    "kubectl exec p -- sh",
    "go -C /x test",
    "java -javaagent:x y",
    "tcpdump -z sh",
    "aws s3 cp file://x y",
    "gcc @args",
    "git send-pack origin main",
    "git bundle create /x HEAD",
    "git branch --edit-description",
    "git remote add x 'ext::sh -c id'",
    "uniq a b",
    "uniq -f 1 a b",
    "xxd a b",
    "read PATH",
    "read -r a IFS",
    "read -aPATH",
    "mapfile -t PATH",
    "getopts a PATH",
    "wait -p PATH",
    "python -m pytest -p x",
    "python -Bm pytest --basetemp=/x",
    "python -mpytest --junitxml=/x",
    "python -m pip install x",
    "bat --pager=sh x",
    "hg --config alias.log=!sh log",
    "svn diff --diff-cmd sh",
    "hyperfine 'rm x'",
    "TZ=/etc/passwd date",
]


@pytest.mark.parametrize("line", DANGEROUS)
def test_a_call_that_runs_or_writes_by_itself_is_opaque(line):
    """What its first word says is not what such a call does, so no Allow matches it."""
    assert codes(line)
    allow = sorted({f"{words[0]} *" for words in commands(line) if "\0" not in words[0]} | {"path:**/*"})
    assert verdict(line, allow) == "default"


INNER = [
    ("timeout 5 rm x", "rm"),
    ("timeout -s KILL -k 3 5 nice -n 19 rm x", "rm"),
    ("nice -19 rm x", "rm"),
    ("nohup rm x", "rm"),
    ("time -p rm x", "rm"),
    ("time ! rm x", "rm"),
    ("time A=1 rm x", "rm"),
    ("stdbuf -oL rm x", "rm"),
    ("ionice -c 3 rm x", "rm"),
    ("setsid -w rm x", "rm"),
    ("command rm x", "rm"),
    ("builtin rm x", "rm"),
    ("exec rm x", "rm"),
    ("env rm x", "rm"),
    ("env LANG=C rm x", "rm"),
    ("env -S 'rm x'", "rm"),
    ("env - rm x", "rm"),
    ("env a.b=c rm x", "rm"),
    ("eval -- rm x", "rm"),
    ("kubectl exec p -c c -- sh -c 'rm x'", "rm"),
    ("flock /x -c 'rm x'", "rm"),
    ("taskset -c 0 rm x", "rm"),
    ("setpriv --reuid 1 rm x", "rm"),
    ("env -S'rm x'", "rm"),
    ("env '--split-string=rm x'", "rm"),
    ("ssh-agent rm x", "rm"),
    ("hyperfine 'rm x'", "rm"),
    ("eval rm x", "rm"),
    ("eval 'ls; rm' x", "rm"),
    ("sh -euxc 'rm x'", "rm"),
    ("bash -euo pipefail -c 'rm x'", "rm"),
    ("bash <<< 'rm x'", "rm"),
    ("bash <<'EOF'\nrm x\nEOF", "rm"),
    ("bash -s <<EOF\nrm x\nEOF", "rm"),
    ("bash <<-EOF\n\trm x\n\tEOF", "rm"),
    ("sudo -u root rm x", "rm"),
    ("sudo -nE rm x", "rm"),
    ("doas rm x", "rm"),
    ("sudo -u u A=1 rm x", "rm"),
    ("su -c 'rm x' u", "rm"),
    ("ssh -p 2 host rm x", "rm"),
    ("ssh host 'ls; rm x'", "rm"),
    ("ssh host 'A=1 rm x'", "rm"),
    ("ssh host 'ls a=b; rm x'", "rm"),
    ("xargs -n1 -I{} rm {}", "rm"),
    ("find . -exec rm {} \\; -exec ls {} +", "rm"),
    ("find . -okdir rm {} \\;", "rm"),
    ("watch -n 1 'rm x'", "rm"),
    ("docker exec -it c rm x", "rm"),
    ("docker run -v /a:/b image rm x", "rm"),
    ("kubectl exec -it pod -- rm x", "rm"),
    ("git bisect run rm x", "rm"),
    ("chroot /x rm y", "rm"),
    ("flock /x rm y", "rm"),
    ("strace -f rm x", "rm"),
    ("parallel rm ::: x", "rm"),
    ("busybox rm x", "rm"),
    ("trap 'rm x' EXIT", "rm"),
    ("script -qc 'rm x' /dev/null", "rm"),
    ('bash -c \'bash -c "bash -c \\"rm x\\""\'', "rm"),
]


@pytest.mark.parametrize(("line", "program"), INNER)
def test_what_a_wrapper_runs_is_seen(line, program):
    """A Deny for the inner command stops the call, whatever stands around it."""
    assert program in [words[0] for words in commands(line)]
    assert verdict(line, ["*"], ["rm *"]) == "deny"
    assert verdict(line, [f"{facets(line)[0].words[0]} *"]) != "allow"


def test_a_module_is_seen_by_its_own_name():
    """A Deny for a program holds when an interpreter runs it as a module."""
    for line in ("python -m pip install x", "python3 -mpip install x", "python3.12 -Bm pip install x"):
        assert verdict(line, ["*"], ["pip install *"]) == "deny"
    assert verdict("python -m pytest -q", ["python -m pytest *"], ["pip *"]) == "allow"


THROUGH = [
    "timeout 5 git status",
    "env git status",
    "eval git status",
    "sh -c 'git status'",
    "nice git status",
]


@pytest.mark.parametrize("line", THROUGH)
def test_a_wrapper_that_adds_nothing_needs_no_rule_of_its_own(line):
    """The inner command decides, and a Deny for the wrapper still stops it."""
    assert verdict(line, ["git status"]) == "allow"
    assert verdict(line, ["git status"], [line.split()[0]]) == "deny"
    assert verdict(line, ["git log"]) == "default"


def test_a_wrapper_with_nothing_inside_is_judged_itself():
    """A shell without a command, and a wrapper without operands, are no free pass."""
    for line in ("bash", "env", "nohup", "eval ''", "sh -c ''", "exec", "sh -c '# x'", "eval"):
        assert full(line)
        assert verdict(line, ["git status"]) == "default"


def test_the_sentence_names_the_program_and_the_option():
    """An agent can see what to leave out."""
    (facet,) = full("sort -o f g")
    assert facet.opaque.code is Opacity.PROGRAM_RUN
    assert facet.opaque.why == "sort -o runs another program, or writes a file, by itself"
