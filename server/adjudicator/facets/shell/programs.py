"""The programs that are not what their first word says. Data alone; `program.py` says what it means.

To add one: find it in its manual, give each option that runs a program or writes a file under `runs`, each
that reads operands from a file under `lists`. `tests/facets/shell/test_catalogue.py` tries every entry.
"""

from adjudicator.domain.facet import Opacity, Opaque
from adjudicator.facets.shell.program import Program


def _program(  # noqa: PLR0913 - one parameter for each field of an entry, all but the first by name
    names: str,
    *,
    runs: str = "",
    lists: str = "",
    valued: str = "",
    harmless: str = "",
    queries: str = "",
    prefixes: str = "",
    known: str = "",
    sub: tuple[Program, ...] = (),
    always: str = "",
    operands: str = "",
    script: str = "",
    inner: str = "",
    skip: int = 0,
    stdin: bool = False,
    through: bool = False,
    writes: bool = False,
    bare: bool = False,
) -> Program:
    reason = Opaque(Opacity.PROGRAM_RUN, always) if always else None
    if operands:
        reason = Opaque(Opacity.OPERANDS, operands)
    return Program(
        names=tuple(names.split()),
        runs=frozenset(runs.split()),
        lists=frozenset(lists.split()),
        valued=frozenset(valued.split()),
        harmless=frozenset(harmless.split()),
        queries=frozenset(queries.split()),
        prefixes=tuple(prefixes.split()),
        known=frozenset(known.split()),
        subcommands={name: each for each in sub for name in each.names},
        always=reason,
        script=script,
        inner=inner,
        skip=skip,
        stdin=stdin,
        through=through,
        writes=writes,
        bare=bare,
    )


_QUERIES = "--version -V --help -h"

# Run the command in their operands and add nothing to it: that command alone is judged.
_THROUGH = (
    _program(
        "timeout gtimeout",
        inner="words",
        skip=1,
        through=True,
        valued="-k -s --kill-after --signal",
        harmless="-v --verbose --foreground --preserve-status",
    ),
    _program("nice", inner="words", through=True, valued="-n --adjustment", harmless="-0"),
    _program("nohup", inner="words", through=True),
    _program("time", inner="words", through=True, harmless="-p"),
    _program(
        "stdbuf gstdbuf",
        inner="words",
        through=True,
        valued="-i -o -e --input --output --error",
    ),
    _program("ionice", inner="words", through=True, valued="-c -n --class --classdata", harmless="-t"),
    _program("setsid", inner="words", through=True, harmless="-w --wait -f --fork"),
    _program("command", inner="words", through=True, queries="-v -V"),
    _program("builtin", inner="words", through=True),
    _program("exec", inner="words", through=True),
    _program("env", inner="words", through=True),
    _program("eval", inner="eval", through=True),
    _program("noglob nocorrect", inner="words", through=True),
    _program(
        "sh bash dash ash ksh mksh zsh rbash",
        inner="shell",
        through=True,
        valued="-o",
        harmless="-l -e -u -x -v -i -c -s --login --norc --noprofile",
        queries="--version --help",
    ),
)

# Run the command in their operands somewhere else, as somebody else, or with more operands.
_AROUND = (
    _program(
        "sudo",
        inner="words",
        valued="-u -g -p -C -r -t -T -U -D -R -h --user --group --prompt --chdir --chroot --host",
        runs="-e --edit -s --shell -i --login -A --askpass",
        harmless="-E -n -H -S -b -k -K -l -v -P --preserve-env --non-interactive --set-home --stdin",
    ),
    _program("doas", inner="words", valued="-u -C", runs="-s", harmless="-n -L"),
    _program(
        "su runuser",
        inner="dash-c",
        runs="-c --command -s --shell --session-command",
        always="it runs a shell as somebody else",
    ),
    _program(
        "chroot",
        inner="words",
        skip=1,
        valued="--userspec --groups",
        always="it runs a program in another root",
    ),
    _program(
        "nsenter unshare",
        inner="words",
        valued="-t --target -S -G --setuid --setgid",
        always="it runs a program in other namespaces",
    ),
    _program(
        "setpriv capsh prlimit taskset numactl chrt cgexec choom",
        inner="words",
        always="it runs the program in its operands",
    ),
    _program(
        "flock",
        inner="words",
        skip=1,
        valued="-w -E --timeout --conflict-exit-code",
        always="it runs the program in its operands",
    ),
    _program(
        "strace ltrace dtruss truss",
        inner="words",
        valued="-e -o -p -s -u -E -a -P",
        always="it runs the program in its operands, and may write a file",
    ),
    _program(
        "gdb lldb valgrind rr perf",
        inner="words",
        always="it runs the program in its operands, and commands of its own",
    ),
    _program(
        "xargs gxargs",
        inner="words",
        valued="-I -i -n -L -P -s -d -E -a --max-args --max-procs --delimiter --arg-file --replace --max-lines --max-chars",
        operands="xargs takes operands from standard input or a file",
    ),
    _program(
        "parallel",
        inner="words",
        valued="-j --jobs -a --arg-file -S --sshlogin",
        operands="parallel takes operands from standard input or a file",
    ),
    _program("entr", inner="words", operands="entr takes operands from standard input"),
    _program(
        "watch",
        inner="words",
        valued="-n --interval",
        always="watch hands its operands to a shell, again and again",
    ),
    _program(
        "script scriptreplay", inner="dash-c", always="script runs a shell, and writes what it prints"
    ),
    _program(
        "ssh slogin autossh mosh",
        inner="words",
        skip=1,
        valued="-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B",
        always="it runs a command on another machine, or one that its options name",
    ),
    _program("sshpass", inner="words", valued="-p -f -d -P", always="it runs the program in its operands"),
    _program(
        "flatpak-spawn systemd-run systemd-inhibit at-spi dbus-run-session dbus-launch",
        inner="words",
        always="it runs the program in its operands elsewhere",
    ),
    _program("busybox toybox", inner="words", always="it is many programs in one"),
    _program(
        "unbuffer catchsegv fakeroot proot firejail bwrap torsocks proxychains torify xvfb-run cpulimit pkexec gosu setarch linux64 linux32 dumb-init tini s6-setuidgid chpst softlimit daemonize start-stop-daemon run-parts",
        inner="words",
        always="it runs the program in its operands",
    ),
    _program("trap", inner="first-string", always="trap runs its operand later"),
    _program(
        "find gfind",
        inner="exec",
        runs="-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls",
        lists="-files0-from",
    ),
    _program("fd fdfind", inner="words", skip=99, runs="-x -X --exec --exec-batch"),
    _program(
        "docker podman nerdctl",
        valued="-H --host -c --context -l --log-level --config --tlscacert --tlscert --tlskey",
        harmless="-D --debug --tls -v --version",
        known="attach build builder buildx commit compose container context cp create diff events exec export history image images import info inspect kill load login logout logs manifest network node pause plugin port ps pull push rename restart rm rmi run save search secret service stack start stats stop swarm system tag top trust unpause update version volume wait",
        sub=(
            _program(
                "exec run create container compose buildx build builder commit cp start plugin service stack swarm",
                always="it runs a program in a container, or builds one",
            ),
            _program("save export", runs="-o --output"),
        ),
    ),
    _program(
        "kubectl oc",
        valued="-n --namespace --context --cluster --kubeconfig -s --server --user --as --token",
        harmless="-A --all-namespaces",
        known="annotate api-resources api-versions apply attach auth autoscale certificate cluster-info completion config cordon cp create debug delete describe diff drain edit events exec explain expose get kustomize label logs options patch plugin port-forward proxy replace rollout run scale set taint top uncordon version wait",
        sub=(
            _program(
                "exec run debug cp edit plugin attach diff proxy",
                always="it runs a program, here or in a container",
            ),
        ),
    ),
)

_GIT = _program(
    "git",
    runs="-c --exec-path --config-env -C --git-dir --work-tree --namespace --super-prefix --bare",
    valued="-c -C --git-dir --work-tree --namespace --config-env --super-prefix --attr-source",
    harmless="--no-pager -P --paginate -p --version --help -h --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice",
    known="add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph commit-tree config count-objects credential daemon describe diff diff-files diff-index diff-tree difftool fast-export fast-import fetch fetch-pack filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck gc get-tar-commit-id grep gui hash-object help hook imap-send index-pack init instaweb interpret-trailers log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-one-file merge-tree mergetool mktag mktree mv name-rev notes pack-objects pack-redundant pack-refs patch-id prune prune-packed pull push range-diff read-tree rebase receive-pack reflog remote repack replace request-pull rerere reset restore rev-list rev-parse revert rm send-email send-pack shortlog show show-branch show-index show-ref sparse-checkout stage stash status stripspace submodule switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag version whatchanged worktree write-tree",
    sub=(
        _program(
            "log show diff whatchanged diff-tree diff-files diff-index format-patch range-diff reflog stash shortlog",
            runs="--ext-diff --textconv --output --output-directory -o",
            harmless="--oneline --no-ext-diff --no-textconv",
        ),
        _program("blame annotate cat-file", runs="--textconv --filters --contents"),
        _program("grep", runs="-O --open-files-in-pager --textconv --ext-grep", lists="-f"),
        _program(
            "clone fetch pull ls-remote fetch-pack",
            runs="-u --upload-pack --exec -c --config --template --recurse-submodules",
            valued="-b -o -j",
            harmless="--update-shallow --unshallow --all --dry-run --depth --exclude",
        ),
        _program("push send-pack", runs="--receive-pack --exec", harmless="--repo"),
        _program("bisect", inner="words", skip=1, always="git bisect run runs a program"),
        _program("rebase", runs="-x --exec -i --interactive --edit-todo -r --rebase-merges -s --strategy"),
        _program("merge cherry-pick revert", runs="-s --strategy -e --edit -S --gpg-sign"),
        _program("submodule", always="git submodule may run commands and fetch other code"),
        _program(
            "filter-branch difftool mergetool hook for-each-repo instaweb gui citool daemon send-email imap-send help web--browse credential fast-import upload-pack receive-pack upload-archive maintenance merge-index merge-one-file",
            always="this part of git runs other programs",
        ),
        _program(
            "config",
            runs="-e --edit --add --unset --unset-all --replace-all --global --system --worktree -f --file --blob --rename-section --remove-section set unset edit",
            harmless="--get --list",
            always="git config can name programs that git runs",
        ),
        _program("archive", runs="-o --output --remote --exec"),
        _program(
            "commit tag notes",
            runs="-e --edit -F --file -t --template -S --gpg-sign -s -u --local-user -v --verify --trailer",
            valued="-m -C",
            harmless="--message --amend --no-edit --no-verify --all --verbose --list",
        ),
        _program("apply am", runs="--unsafe-paths --directory"),
        _program(
            "add checkout reset restore rm stash",
            lists="--pathspec-from-file",
            runs="-e --edit -p --patch -i --interactive",
        ),
        _program("var version", harmless="-l"),
        _program("bundle worktree init clean"),
        _program("init", runs="--template --separate-git-dir"),
    ),
)

_INTERPRETERS = (
    _program(
        "python pypy",
        runs="-c -i",
        valued="-m -W -X -Q",
        harmless="-B -E -I -s -S -u -O -b -q -v",
        queries=_QUERIES,
        stdin=True,
    ),
    _program(
        "perl", runs="-e -E -i -n -p -M -m -d -x -s", valued="-I -C", queries="-v --version", stdin=True
    ),
    _program("ruby jruby", runs="-e -i -n -p -r -x", valued="-I -C", queries="-v --version", stdin=True),
    _program(
        "node nodejs iojs",
        runs="-e --eval -p --print -r --require --import -i --interactive --loader --experimental-loader --inspect --inspect-brk --test-reporter",
        queries="-v --version --help",
        harmless="--test --watch",
        stdin=True,
    ),
    _program("deno", known="check doc fmt info lint types", always="deno runs what its operands name"),
    _program("bun", always="bun runs what its operands name"),
    _program(
        "php", runs="-r -B -R -F -E -a -d -S --run --process-code", queries="-v --version -i", stdin=True
    ),
    _program("lua luajit", runs="-e -l -i", queries="-v", stdin=True),
    _program("tclsh wish expect", runs="-c", stdin=True),
    _program("Rscript R", runs="-e --args -f", queries="--version", stdin=True),
    _program("julia", runs="-e -E -L --eval --print --load", queries="--version", stdin=True),
    _program("ghc ghci runghc", runs="-e"),
    _program(
        "jshell scala groovy clojure elixir iex erl swipl sbcl clisp guile racket ocaml octave",
        always="it runs the program in its operands or on standard input",
    ),
    _program(
        "java",
        runs="-agentlib -agentpath -javaagent -XX:OnError -XX:OnOutOfMemoryError",
        prefixes="@ -javaagent: -agentlib: -agentpath: -XX:OnError -XX:OnOutOfMemoryError -XX:Flags -XX:VMOptionsFile",
    ),
    _program(
        "osascript powershell pwsh cmd fish csh tcsh nu xonsh elvish",
        always="it runs the program in its operands or on standard input",
    ),
    _program("awk gawk mawk nawk original-awk", script="awk"),
    _program("sed gsed", script="sed"),
    _program("jq", lists="-f --from-file -L", harmless="--raw-output --slurp"),
    _program("yq", runs="-i --inplace", lists="--from-file"),
    _program("bc dc", runs="-e -f", stdin=True, queries="--version"),
)

_EDITORS = (
    _program(
        "vi vim nvim view vimdiff gvim rvim ex vimtutor",
        prefixes="+",
        always="an editor runs commands and writes files",
    ),
    _program("ed red", always="an editor runs commands and writes files"),
    _program(
        "emacs emacsclient nano pico micro joe jed mcedit helix hx kak",
        always="an editor runs commands and writes files",
    ),
    _program("code subl gedit", always="an editor runs commands and writes files"),
    _program(
        "less more most pg",
        prefixes="+",
        runs="-o -O -k --log-file --LOG-FILE --lesskey-file --lesskey-src --lesskey-content --tag-file -T",
    ),
    _program(
        "man",
        runs="-P -H -C -R --pager --html --browser --config-file --recode -t --troff --preprocessor -p -X --gxditview -l --local-file",
    ),
    _program("pinfo info", runs="-o --output --restore --init-file --dribble"),
)

_SEARCH = (
    _program(
        "grep egrep fgrep ggrep",
        lists="-f --file",
        valued="-e -A -B -C -m",
        harmless="--files-with-matches --files-without-match --fixed-strings",
    ),
    _program(
        "rg",
        runs="--pre --hostname-bin --search-zip -z",
        lists="-f --file --ignore-file",
        valued="-e -A -B -C -m -g -t -T -j --glob",
        harmless="--files --files-with-matches --files-without-match --fixed-strings --pretty",
    ),
    _program(
        "ag ack", runs="--pager --output", lists="-p --path-to-ignore --files-from -x", valued="-A -B -C -G"
    ),
    _program("ugrep ug", runs="--pager --view --filter --save-config -Q", lists="-f --file --from"),
    _program("locate mlocate plocate", lists="-d --database"),
    _program("fzf", runs="--preview --bind --execute --listen", always="fzf runs what its bindings name"),
    _program("ctags etags", runs="-o -f --options --output-file", lists="-L"),
    _program("cscope", runs="-f", lists="-i"),
)

_FILES = (
    _program("cat tac nl head tail cut paste tr fold expand", valued="-n -c -d -f"),
    _program(
        "sort gsort",
        runs="--compress-program -o --output -T --temporary-directory",
        lists="--files0-from",
        valued="-k -t -S",
        harmless="--check",
    ),
    _program("wc du gwc gdu", lists="--files0-from -X --exclude-from", harmless="--exclude"),
    _program("uniq comm join", runs="--output"),
    _program(
        "tar gtar bsdtar",
        bare=True,
        runs="--to-command --use-compress-program -I --checkpoint-action -F --info-script --new-volume-script --rsh-command --rmt-command --index-file --one-top-level -P --absolute-names",
        lists="-T --files-from -X --exclude-from",
        valued="-f -C -b",
        harmless="--file --exclude --directory",
    ),
    _program("cpio pax star", runs="--rsh-command -F --file -o -i -p", lists="-E --pattern-file"),
    _program("zip", runs="-TT --unzip-command -O --out -m --move", lists="-@"),
    _program("unzip zipinfo", runs="-p", writes=True),
    _program("7z 7za 7zr", runs="-o -w", prefixes="@ -i@ -x@"),
    _program(
        "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 lzma compress uncompress",
        lists="--files --files0 --filelist",
        writes=True,
    ),
    _program("ar ranlib", bare=True, prefixes="@"),
    _program("rm rmdir unlink shred", writes=True, runs="--random-source"),
    _program("mv cp install ln link gcp gmv", writes=True, runs="--strip-program"),
    _program("touch mkdir mkfifo mknod truncate fallocate mktemp", writes=True),
    _program("tee sponge", writes=True),
    _program("chmod chown chgrp chattr setfacl xattr chcon", writes=True, lists="--restore"),
    _program("dd", writes=True),
    _program("split gsplit csplit", writes=True, runs="--filter"),
    _program("patch", writes=True, runs="-e --ed -o --output"),
    _program(
        "diff sdiff diff3 colordiff",
        runs="-o --output --diff-program --merge-program",
        lists="--exclude-from -X --from-file --to-file",
        harmless="--exclude",
    ),
    _program(
        "rsync",
        runs="-e --rsh --rsync-path --log-file --daemon --config --write-batch --only-write-batch --partial-dir --backup-dir --temp-dir -T --filter -f",
        lists="--files-from --include-from --exclude-from --password-file",
        valued="-B",
        harmless="--exclude --include",
        writes=True,
    ),
    _program("scp sftp", runs="-S -o -F -D -b", valued="-P -i -l -c", writes=True),
    _program("logrotate", always="logrotate runs what its configuration says"),
    _program(
        "mount umount losetup mkfs fsck swapon fdisk parted",
        writes=True,
        runs="-t --types",
        always="it changes what the machine's folders are",
    ),
    _program("xxd hexdump od", runs="-r -revert", lists="-f --format-file"),
    _program("base64 base32 uuencode uudecode", runs="-o --output"),
    _program("iconv recode dos2unix unix2dos", runs="-o --output", writes=True),
    _program("file", lists="-f --files-from -m --magic-file", runs="-C --compile -z"),
    _program("tree", runs="-o -R --fromfile --fromtabfile", valued="-L -P -I"),
    _program("ls dir vdir", harmless="--color"),
    _program("date", runs="-s --set", lists="-f --file", valued="-d"),
    _program("shuf", runs="-o --output", lists="--random-source"),
    _program("column pr fmt", runs="--output-file"),
    _program("rename prename", always="rename runs its first operand as a program"),
    _program("mapfile readarray", runs="-C -c"),
    _program("printf", runs="-v"),
    _program("read", runs="-e -i", valued="-p -t -n -d"),
    _program("test", runs="-v"),
    _program("enable", runs="-f -n -d", always="enable changes which programs names stand for"),
    _program("hash", runs="-p -d -r", always="hash changes which programs names stand for"),
    _program("alias", always="an alias changes what later names stand for"),
    _program("let", always="let may run a command inside of its operands"),
    _program("fc history", always="it runs or writes earlier commands"),
    _program(
        "bind complete compgen compopt shopt",
        runs="-x -C -F -W",
        always="it changes how the shell reads and runs commands",
    ),
    _program("set", always="set changes how the shell reads and runs commands"),
    _program(
        "export declare typeset local readonly", always="it sets variables that later commands may go by"
    ),
    _program("unset", always="it takes away variables that later commands may go by"),
)

_NETWORK = (
    _program(
        "curl",
        runs="-o -O -K -D -c --output --output-dir --remote-name --remote-name-all --config --dump-header --cookie-jar --trace --trace-ascii --stderr --libcurl --hsts --alt-svc --etag-save --engine -J --remote-header-name --netrc-file",
        lists="-T --upload-file",
        valued="-H -d -X -u -A -e -b -F -m -w -x",
        prefixes="@",
    ),
    _program(
        "wget wget2",
        runs="-O -o -a -P --use-askpass --output-document --output-file --append-output --directory-prefix --config --execute -e --save-cookies --post-file --body-file --warc-file --hsts-file --rejected-log --crawl-method",
        lists="-i --input-file",
        always="wget writes what it fetches",
    ),
    _program(
        "aria2c axel lftp ftp tftp telnet", always="it writes what it fetches, or runs commands of its own"
    ),
    _program(
        "nc ncat netcat socat",
        runs="-e -c --exec --sh-exec --lua-exec -o --output",
        always="it joins a program or a file to the network",
    ),
    _program(
        "nmap",
        runs="--script --script-args -oN -oX -oG -oA -oS --datadir --resume --interactive --stylesheet",
        lists="-iL --excludefile",
    ),
    _program("tcpdump tshark dumpcap", runs="-z -w -G -W --write", lists="-F"),
    _program(
        "openssl",
        runs="-engine -provider -config -out -keyout -writerand -passin -CAcreateserial",
        always="openssl loads engines, and writes what it makes",
    ),
    _program(
        "gpg gpg2 gpgsm",
        runs="--exec-path --photo-viewer --output -o --options --agent-program --dirmngr-program --gpg-agent",
        always="gpg runs helpers, and writes what it makes",
    ),
    _program("dig host nslookup", lists="-f", harmless="+short"),
    _program(
        "ip ifconfig route iptables nft ufw",
        runs="-batch -b -force netns",
        always="it changes the machine's network",
    ),
    _program("mail mailx mutt sendmail", always="it sends what it is given, and may run programs"),
    _program("rclone", always="rclone writes, here or elsewhere"),
)

_BUILD = (
    _program(
        "make gmake bmake",
        runs="-f --file --makefile -C --directory -I --include-dir --eval -E -e --environment-overrides",
        prefixes="SHELL= .SHELLFLAGS= MAKEFLAGS= MAKE= CC= CXX= LD=",
    ),
    _program("ninja", runs="-C -f -t"),
    _program("cmake ctest cpack", runs="-P -E -C -S --build --build-and-test -D --install --open"),
    _program(
        "bazel buck pants gradle gradlew mvn mvnw ant sbt lein rake just task",
        runs="-f --file -D -I --init-script -b --build-file -s",
    ),
    _program(
        "npm pnpm",
        known="run test start ci install ls list outdated view audit explain why version pack prefix root bin whoami ping fund help query search doctor",
        valued="--prefix -C --workspace -w",
        harmless="--silent -s --version -v",
        sub=(
            _program(
                "exec x run run-script test start stop restart init create install i ci add update dlx explore edit config set rebuild version publish pack",
                always="npm runs scripts of the project and of packages",
            ),
        ),
    ),
    _program(
        "yarn",
        known="list why info outdated audit licenses versions help",
        harmless="--version -v",
        sub=(
            _program(
                "run exec dlx create add install test start init node",
                always="yarn runs scripts of the project and of packages",
            ),
        ),
    ),
    _program("npx pnpx bunx uvx pipx corepack", always="it fetches a program and runs it"),
    _program(
        "pip pip3",
        known="list show freeze check config debug help index inspect cache hash",
        harmless="--version -V -q -v --disable-pip-version-check",
        sub=(
            _program(
                "install download wheel uninstall lock",
                always="pip runs code of the packages that it installs",
            ),
            _program("config cache", always="it changes what pip does later"),
        ),
    ),
    _program(
        "uv",
        known="version help tree",
        sub=(
            _program(
                "run pip tool add remove sync lock venv python init build publish cache",
                always="uv runs code of packages",
            ),
        ),
    ),
    _program(
        "poetry pipenv hatch pdm rye conda mamba",
        known="show check version list info",
        sub=(
            _program(
                "run shell install add update build publish config env create activate",
                always="it runs code of the project and of packages",
            ),
        ),
    ),
    _program(
        "go",
        known="version env list doc vet fmt build test mod",
        harmless="-h",
        sub=(
            _program(
                "run generate tool get install work clean mod bug",
                always="this part of go runs or fetches code",
            ),
            _program(
                "build test vet list fmt",
                runs="-exec -toolexec -vettool -o -C -overlay -modfile -coverprofile -cpuprofile -memprofile -outputdir -ldflags -gccgoflags -gcflags -asmflags",
            ),
            _program("env", runs="-w -u"),
            _program("doc version"),
        ),
    ),
    _program(
        "cargo",
        known="build check test doc tree metadata search version fmt clippy bench help",
        valued="--color -Z --manifest-path --config -C",
        runs="--config -Z -C",
        harmless="-v -q --version --locked --offline --frozen",
        prefixes="",
        sub=(
            _program(
                "run install publish add fix new init update generate-lockfile vendor",
                always="this part of cargo runs or fetches code",
            ),
            _program(
                "build check test doc bench clippy fmt", runs="--config --target-dir -Z --manifest-path"
            ),
        ),
    ),
    _program(
        "rustc gcc g++ cc c++ clang clang++ ld as nvcc tcc",
        runs="-o -wrapper -fplugin -specs -B -run -C",
        prefixes="@ -fplugin= -specs= -B -Wl,",
        writes=True,
    ),
    _program(
        "gem bundle bundler composer",
        known="list show info outdated check help env",
        harmless="--version",
        sub=(
            _program(
                "install exec update open add require run-script create-project",
                always="it runs code of packages",
            ),
        ),
    ),
    _program(
        "pytest py.test tox nox",
        runs="-p -c --rootdir --basetemp --junitxml --junit-xml --result-log --log-file --confcutdir --pdbcls -o --override-ini --pastebin --debug",
        valued="-k -m -n -W",
        harmless="--collect-only --cov --color --durations --lf --ff --pdb",
    ),
    _program(
        "eslint prettier black ruff isort autopep8 yapf gofmt rustfmt clang-format shfmt",
        runs="--fix --write -w -i --in-place --plugin --rulesdir --resolve-plugins-relative-to --output-file -o --config -c --parser",
        writes=True,
    ),
    _program(
        "mypy pyright pylint flake8 tsc",
        runs="--config-file -c --rcfile --load-plugins --init-hook --install-types --outDir --build -b --junit-xml --html-report",
        lists="@",
        prefixes="@",
    ),
    _program(
        "latex pdflatex xelatex tex luatex",
        runs="--shell-escape -shell-escape -output-directory",
        always="TeX can run programs and write files",
    ),
    _program(
        "gh",
        known="auth issue pr repo release run workflow gist label status search browse cache project ruleset secret variable version help api",
        sub=(
            _program(
                "alias extension codespace config auth api gist",
                always="this part of gh runs other programs, or does what its operands say",
            ),
        ),
    ),
)

_SYSTEM = (
    _program(
        "apt apt-get aptitude dpkg",
        runs="-o --option -c --config-file --pre-invoke -i --install",
        always="it changes which programs are installed",
    ),
    _program(
        "yum dnf rpm zypper pacman apk brew port snap flatpak emerge",
        runs="--eval --define -D --pipe",
        always="it changes which programs are installed, or runs them",
    ),
    _program(
        "systemctl service launchctl rc-service",
        known="status list-units list-unit-files is-active is-enabled show cat",
        valued="-H -M --host --machine -t --type -p --property",
        harmless="--user --system --no-pager --all -a",
        sub=(
            _program(
                "edit start stop restart enable disable link daemon-reload set-environment kill mask unmask reload",
                always="it changes what the machine runs",
            ),
        ),
    ),
    _program(
        "journalctl dmesg", runs="-D --directory --file --cursor-file --vacuum-size --rotate -C -c --clear"
    ),
    _program("crontab at batch atq", always="it makes the machine run something later"),
    _program("tmux screen byobu zellij", always="it runs commands in another terminal"),
    _program("sqlite3 sqlite", always="sqlite3 has commands of its own that run programs and write files"),
    _program(
        "psql mysql mariadb mongo mongosh redis-cli cqlsh influx duckdb",
        runs="-c -f -e -o -L --command --file --execute --output --pager --eval --tee",
        always="it changes a database, and has commands of its own that run programs",
    ),
    _program("pg_dump mysqldump mongodump", runs="-f --file --result-file -r -o --out"),
    _program(
        "ansible ansible-playbook terraform tofu pulumi vagrant packer helm salt puppet chef-client",
        always="it runs what its files say, here and elsewhere",
    ),
    _program(
        "aws gcloud az gsutil",
        valued="--profile --region --output --query --project --account --subscription",
        runs="--endpoint-url --ca-bundle --cli-input-json --configuration --access-token-file",
        prefixes="file:// fileb://",
    ),
    _program(
        "ffmpeg ffprobe convert magick mogrify identify gs",
        writes=True,
        runs="-dSAFER -dNOSAFER -report -filter_script -write",
        prefixes="@ | ephemeral: msl: text:@",
        always="it writes what it makes, and may run delegates",
    ),
    _program(
        "exiftool",
        runs="-if -o -w -W -execute -config -tagsFromFile -stay_open",
        lists="-@",
        always="exiftool evaluates expressions and writes files",
    ),
    _program("kill pkill killall", always="it ends other programs"),
    _program("reboot shutdown halt poweroff init telinit", always="it stops the machine"),
    _program(
        "ld.so ld-linux ld-linux-x86-64.so", inner="words", always="it runs the program in its operands"
    ),
    _program("xdg-open open gio start", always="it runs whatever belongs to its operand"),
    _program("envsubst", harmless="-v"),
    _program("ip6tables sysctl modprobe insmod", always="it changes the machine"),
    _program(
        "useradd usermod userdel passwd visudo chsh chfn groupadd", always="it changes who may do what"
    ),
    _program("dosbox wine qemu-system-x86_64 qemu qemu-img virsh", always="it runs another machine"),
    _program(
        "cpan cpanm luarocks opam cabal stack ghcup rustup nvm pyenv rbenv asdf sdk",
        always="it fetches code and runs it",
    ),
)

PROGRAMS = (
    *_THROUGH,
    *_AROUND,
    _GIT,
    *_INTERPRETERS,
    *_EDITORS,
    *_SEARCH,
    *_FILES,
    *_NETWORK,
    *_BUILD,
    *_SYSTEM,
)
