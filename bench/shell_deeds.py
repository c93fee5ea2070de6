"""Commands that change a file, by the way they do it, and commands that change none, for `bench/shell.py`."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

TEXTS = ("a.txt", "b.txt", "src/app.py", "src/util.py", "conf.yaml", "table.csv", "my notes.md")
PLAIN = tuple(name for name in TEXTS if " " not in name)


class Deed(NamedTuple):
    """One command."""

    text: str
    sink: str = ""
    """Where its output goes."""
    body: str = ""
    """The text of its here-document, with the line that ends it."""
    simple: bool = True
    """Whether other programs can run it: one program, no word of the shell, no input of its own."""


Way = Callable[[Random], Deed]


def new(rng: Random, ending: str = "") -> str:
    """The name of a file that is not there."""
    folder = rng.choice(("", "", "out/", "./", "src/"))
    return f"{folder}{rng.choice(('report', 'result', 'notes', 'x', 'gen'))}{rng.randrange(1000)}{ending or rng.choice(('.txt', '.log', '.py', '', '.json'))}"


def target(rng: Random) -> str:
    """A file that is there or not, as a word of the shell."""
    name = rng.choice((new(rng), new(rng), rng.choice(TEXTS)))
    return rng.choice((f"'{name}'", f'"{name}"')) if " " in name or rng.random() < 0.2 else name


def old(rng: Random) -> str:
    name = rng.choice(PLAIN)
    return rng.choice((name, name, f"./{name}", f'"{name}"'))


SAYING = (
    "echo hello @", "printf 'x %s\\n' @", "echo 'a > b' @", 'echo "line @"', "cat b.txt", "ls -la", "seq @", "date +%s@", "sort -r a.txt",
    "head -2 conf.yaml", "grep -n alpha b.txt", "git log --oneline -2", "git diff", "wc -l a.txt", "pwd", "sed -n 1,2p a.txt",
    "git status --short", "tr a-z A-Z < a.txt", "cut -c1-@ b.txt", "uname -s", "git show HEAD:a.txt", "sed s/alpha/@/ a.txt",
)  # fmt: skip


def saying(rng: Random) -> str:
    return filled(rng.choice(SAYING), rng)


def filled(text: str, rng: Random) -> str:
    """`@` a number, `~` an old file, `^` a new one, `%` any."""
    for sign, make in (("@", lambda r: str(r.randrange(2, 900))), ("~", old), ("^", new), ("%", target)):
        while sign in text:
            text = text.replace(sign, make(rng).replace("^", "").replace("%", ""), 1)
    return text


def any_of(*shapes: str, simple: bool = True, sink: tuple[str, ...] = ()) -> Way:
    """One of these commands, filled; a shape that begins with `!` is not one program alone."""

    def build(rng: Random) -> Deed:
        shape = rng.choice(shapes)
        where = filled(rng.choice(sink), rng) if sink else ""
        text, _, body = filled(shape.removeprefix("!"), rng).partition("\n")
        return Deed(text, where, body, simple and shape[0] != "!")

    return build


def into(*sinks: str) -> Way:
    """A command that says something, whose output goes there."""

    def build(rng: Random) -> Deed:
        said = saying(rng)
        return Deed(said, filled(rng.choice(sinks), rng), "", "<" not in said)

    return build


def here_document(rng: Random) -> Deed:
    body = "\n".join(
        rng.choice(("x = 1", "if a > b:", "  it's one", "rm -rf nothing", "> quoted", "alpha"))
        for _ in range(rng.randrange(1, 4))
    )
    end, quoted = rng.choice((("EOF", "'EOF'"), ("EOF", "EOF"), ("PY", '"PY"'), ("EOT", "-'EOT'"), ("_end", "\\_end")))
    arrow, command = (
        f" <<{quoted}",
        rng.choice((f"cat > {target(rng)}", f"tee {target(rng)}", f"cat >> {new(rng)}", f"tee -a {new(rng)}")),
    )
    if rng.random() < 0.2:
        return Deed(f"{command} <<< 'text {rng.randrange(999)}'", "", "", False)
    name, _, rest = command.partition(" >")
    sink = f"{arrow} >{rest}" if rest and rng.random() < 0.5 else f" >{rest}{arrow}" if rest else arrow
    return Deed(name, sink, f"{body}\n{end}", False)


PYTHON = (
    "open('^', 'w').write('x')", "from pathlib import Path; Path('^').write_text('@')", "import os; os.remove('~')",
    "import shutil; shutil.copy('~', '^')", "print('@', file=open('^', 'a'))", "import os; os.makedirs('d@/e')",
    "import json; json.dump({'a': @}, open('^', 'w'))", "import os; os.rename('~', '^')", "from pathlib import Path; Path('~').unlink()",
    "import shutil; shutil.rmtree('src')", "from pathlib import Path; Path('m@').mkdir()", "import subprocess; subprocess.run(['rm', '~'])",
    "p = '~'; s = open(p).read(); open(p, 'w').write(s + '@')", "import os; os.system('echo @ > ^')",
)  # fmt: skip


def python(rng: Random) -> Deed:
    code = filled(rng.choice(PYTHON), rng).replace('"', "")
    if rng.random() < 0.5:
        return Deed(f'{rng.choice(("python", "python3"))} -c "{code}"')
    code = code.replace("; ", "\n") if rng.random() < 0.7 else code
    return Deed(
        rng.choice(("python -", "python3 -", "python3")), rng.choice((" <<'EOF'", " <<EOF")), f"{code}\nEOF", False
    )


CHANGING: dict[str, Way] = {
    ">": into(" > %", " >%", " >| %", " &> %", " 1> %", " >& %", " 2>&1 > %", " > % 2>&1", " 2> ^", " > ${HERE:-.}/^", " > /dev/null 2> ^"),
    ">>": into(" >> %", " >>^", " &>> ^", " 2>> ^", " >> % 2>&1", " >> ^ < b.txt"),
    "here-document": here_document,
    "tee": into(" | tee %", " | tee -a %", " | sort | tee %", " | tee ^ ^", " | tee % > /dev/null", " 2>&1 | tee %", " | tee >(cat) ^", " | sudo -n tee %"),
    "sed -i": any_of(
        "sed -i s/alpha/x@/ ~", "sed -i 's/alpha/x > @/g' ~", "sed -i.bak -e s/alpha/@/ ~", "sed --in-place s/beta/@/ ~ ~", "sed -i '1d' ~",
        "sed -Ei 's/(alpha|beta)/<\\1@>/' ~", "sed -i -e '$a last @' ~", "sed -n 'w ^' a.txt", "sed 's/alpha/@/w ^' b.txt", "sed -ni 1p ~",
    ),
    "in place": any_of(
        "perl -pi -e s/alpha/@/ ~", "perl -i.orig -pe 's/beta/@/' ~", "sort -o ^ b.txt", "sort -u -o a.txt a.txt b.txt", "perl -i -ne 'print if /beta/' ~",
        "ex -sc '1d|x' ~", "ex -s -c '%s/alpha/@/g' -c wq ~", "vim -es -c '1d' -c wq ~", "!ed -s ~ <<< $'1d\\nw\\nq'", "!printf '1d\\nw\\nq\\n' | ed -s ~",
        "perl -0pi -e 's/alpha\\n/@/' ~", "iconv -f utf-8 -t latin1 -o ^ a.txt", "uniq a.txt ^", "xxd a.txt ^", "!sort a.txt -o ^",
    ),
    "cp and mv": any_of("mv ~ ^", "cp ~ ^", "cp -r src copy@", "ln -s a.txt ^", "ln b.txt ^", "install -m 644 ~ ^", "mv -f a.txt b.txt", "cp a.txt b.txt src", "install -D a.txt in@/b/c.txt", "mv -t src a.txt b.txt", "rename.ul a.txt n@.txt a.txt"),
    "rm": any_of("rm ~", "rm -f ~ none", "rm -rf src", "unlink ~", "shred -u ~", "rmdir out", "rm -r -- out src", "rm *.txt", "rm -v src/*.py"),
    "mkdir and touch": any_of("touch ^", "mkdir -p new@/x", "mkdir n@", "touch ^ ^", "mktemp -p . t@.XXXXX", "mkfifo p@", "chmod 700 ~", "chmod +x ~", "touch 'new @'"),
    "cut and split": any_of(
        "truncate -s 0 ~", "truncate -s @ ^", "truncate --size=3 ~", "split -l 1 a.txt p@-", "split -n 2 b.txt", "csplit -s -f s@ b.txt 2", "dd if=a.txt of=^ status=none",
        "dd if=/dev/zero of=^ bs=1 count=3", "fallocate -l 9 ^", "!cat a.txt | dd of=^ status=none",
    ),
    "patch": any_of("!patch -p1 < fix.patch", "patch -p1 -i fix.patch", "patch -Nr - a.txt fix.patch", "!cat fix.patch | patch -p1", "!patch -sp1 <fix.patch", "patch -o ^ a.txt fix.patch"),
    "git": any_of(
        "git checkout -- src/util.py", "git checkout .", "git restore src/util.py", "git stash", "git stash push -q", "git reset --hard", "git reset -q --hard HEAD", "git checkout -q other",
        "git switch -q other", "git apply fix.patch", "git rm -q --force ~", "git mv a.txt m@.txt", "git clean -fdq", "git merge -q other", "git archive -o ^ HEAD", "git archive --output=^.tar HEAD",
        "git checkout HEAD~1 -- b.txt", "git cherry-pick other", "git -C . restore .", "git format-patch -1", "git format-patch -q -o pp@ HEAD~1", "git bundle create ^ HEAD", "git worktree add -q w@ other",
        "git clone -q . c@", "git init -q i@", "git diff --output=^", "git stash -u && git stash apply -q", "git revert --no-edit other", "git checkout -q other -- b.txt", "!git diff HEAD~1 | git apply -R", "git rebase -q other",
    ),
    "python": python,
    "other languages": any_of(
        "node -e \"require('fs').writeFileSync('^', '@')\"", "node -e \"require('fs').appendFileSync('^', '@')\"", "node -e \"fs.rmSync('~')\"", "node -p \"fs.writeFileSync('^', '')\"", "perl -e 'unlink \"~\"'",
        "perl -e 'open(F, \">^\"); print F @'", "node --eval \"fs.mkdirSync('d@')\"", "perl -MFile::Copy -e 'copy(\"a.txt\", \"^\")'", "perl -we 'rename \"b.txt\", \"^\"'",
    ),
    "awk": any_of(
        "awk '{print > \"^\"}' b.txt", "awk '{print $1 > $2\"-@.txt\"}' table.csv", "awk '{ print >> \"^\" }' b.txt", "awk -F, '{print > $1@}' table.csv", "awk '{print $0 | \"cat > ^\"}' b.txt",
        "awk 'BEGIN { printf \"%d\", @ > \"^\" }'", "awk 'BEGIN {system(\"touch ^\")}'", "awk -v out=^ '{print > out}' a.txt", "!cat a.txt | awk '{print > \"^\"}'", "awk '{f = \"g\" NR; print > f \"@\"}' b.txt",
    ),
    "archives": any_of(
        "tar xf files.tar", "tar -xf files.tar -C out", "tar czf ^.tgz src", "tar --extract --file=files.tar", "unzip -q files.zip", "unzip -o -q files.zip -d u@", "zip -q ^.zip a.txt", "gzip ~", "gzip -k ~", "bzip2 ~",
        "gunzip packed.gz", "xz ~", "zstd -q ~", "ar rc lib@.a a.txt", "tar cf ^ -C src .", "gzip -d packed.gz", "xz -k ~", "7z x files.7z", "zip -qr ^.zip src",
    ),
    "rsync": any_of("rsync -a src/ mirror@/", "rsync -av --exclude x src mirror@", "rsync a.txt ^", "rsync -r --delete src out@"),
    "find": any_of(
        "find . -name '*.txt' -delete", "find . -name '*.py' -exec rm {} +", "find src -type f -exec sed -i s/alpha/@/ {} \\;", "find . -maxdepth 1 -name 'a*' -exec mv {} src \\;", "find . -name b.txt -fprint ^",
        "!find . -name '*.py' | xargs rm", "!find src -name '*.py' -print0 | xargs -0 sed -i s/beta/@/", "find . -name 'a.txt' -exec cp {} ^ \\;", "find . -name '*.py' -execdir touch x@ \\;", "find . -name a.txt -exec sh -c 'echo @ > $1' _ {} \\;",
        "!grep -rl alpha src | xargs sed -i s/alpha/@/", "!find . -name '*.txt' -print0 | xargs -0 -n1 truncate -s @", "!ls *.txt | xargs -I{} mv {} {}.@", "find src -delete",
    ),
    "packages": any_of(
        "npm install x@", "npm i x@", "npm ci", "yarn add x@", "yarn", "pnpm install", "pip install x@", "pip3 install -r r@.txt", "uv sync", "uv add x@", "poetry add x@", "poetry install", "cargo add x@", "go get x@", "go mod tidy",
        "gem install x@", "bundle install", "apt-get install -y x@", "brew install x@", "composer require x@", "dotnet add package x@", "conda install -y x@", "npm uninstall x@", "pip uninstall -y x@", "npm run build", "make all", "cargo build", "uv pip install x@", "bun install",
    ),
    "output option": any_of(
        "curl -so ^ https://x.example/@", "curl -sO https://x.example/@", "curl --output ^ https://x.example/a", "wget -q https://x.example/@", "wget -O ^ https://x.example/", "gcc -c -o ^.o main.c", "gcc main.c -o prog@",
        "openssl rand -out ^ 9", "openssl rand -hex -out ^ 4", "sort -o ^ a.txt", "script -qc 'echo @' ^", "sort --output=^ b.txt", "ssh-keygen -q -t ed25519 -N '' -f key@", "!jq . data.json > ^", "bash gen.sh ^", "./gen.sh ^", "make -s all",
    ),
}  # fmt: skip

IDLE: dict[str, Way] = {
    "looks": any_of(
        "cat ~", "head -@ ~", "sed -n 1,@p ~", "ls -la src", "wc -l ~ ~", "stat ~", "git log --oneline -@", "git diff --stat", "git status", "git show HEAD:a.txt", "find . -name '*.py'", "find . -newer a.txt", "tail -n +@ ~", "du -sh .", "git blame -s ~",
        "diff ~ ~", "file ~", "nl -ba ~", "od -c ~", "tar tf files.tar", "unzip -l files.zip", "git branch -a", "git stash list", "git ls-files", "cmp ~ ~", "jq .alpha data.json", "sort -u ~", "md5sum ~", "sed s/alpha/@/ ~", "sed '@q' ~", "tac ~", "find src -type f -exec wc -c {} +",
        "git -C src log -1 --format=%h@", "git rev-parse HEAD", "zcat packed.gz", "gzip -l packed.gz", "gunzip -c packed.gz", "gzip -dc packed.gz", "git diff HEAD~1 -- ~", "tar -tvf files.tar", "readlink -f ~", "sort -k@ ~", "git apply --check fix.patch", "patch --dry-run -p1 -i fix.patch",
        "unzip -p files.zip", "xz --version", "git archive --list", "git worktree list", "git config --get user.name", "perl -ne 'print if /alpha@?/' ~", "git cat-file -p HEAD:a.txt", "git merge-base HEAD other", "tail -c @ ~", "git remote -v", "git tag -l v@", "git stash show",
    ),
    "searches": any_of(
        "grep -n 'a > @' ~", "grep -c \"x >> @\" ~", "awk '$1 > @' table.csv", "awk -F, '$2 > @ {print $1}' table.csv", "awk '{ if ($1 > @) print }' ~", "awk 'NR > @' ~", "sed -n '/a > @/p' ~", "grep -rn '=> @' src", "awk '{print ($1 > @)}' table.csv", "awk '/alpha/ {n++} END {print n > \"/dev/stderr\"}' ~",
        "grep -E '(a|b)>@' ~", "egrep '>|@' ~", "find . -size -@k", "!cat ~ | grep -v '>@'", "grep '`@' ~", "grep -o 'x\\>@*' ~", "awk 'length > @' ~", "perl -ne 'print if $. > @' ~", "git log --grep '> @'", "git grep -n 'alpha > @'", "jq '.alpha > @' data.json", "awk -v m=@ '$1 > m { print $2 }' table.csv", "awk \"\\$1 > @\" table.csv",
        "git log -S'> @' --oneline", "!grep -n alpha ~ | awk -F: '$1 > @'", "awk '$1>@||$2>\"z\"' table.csv", "awk 'END { print NR }' ~", "xargs -a a.txt echo @", "!ls | xargs -n1 wc -c", "!find . -name '*.py' | xargs grep -n 'a > @'", "which bash@ git", "command -v git@",
    ),
    "compares": any_of(
        "[ a \\> @ ]", "[ b \">\" @ ]", "![[ a > @ ]]", "![[ z@ > b && -f a.txt ]]", "!((5 > @))", "!(( x = 3 > @ ))", "!echo $((@ > 3))", "!echo $(( (4 << 2) > @ ))", "test @ -gt 3", "echo 'a > @'", "echo \"a >> @\"", "echo a \\> @", "expr @ '>' 3", "expr @ \\> 3", "!let 'n = @ > 3'", "printf '%s > %s\\n' a @",
        "echo 'it'\\''s > @'", "echo $'it\\'s > @'", "![[ $PWD =~ a>?@ ]]", "![[ \"x\" < @ ]]", "!n=@; (( n-- > 3 )) && echo \"$n\"", "!for ((i = 3; i > 1; i--)); do echo $i @; done", "echo ${x:-a@} ${#x} \"${y:->}\"", "!if [[ b > @ ]]; then echo '>'; fi", "!x=@; echo \"${x//1/>}\" ${x#*>}", "echo \"$(grep -c 'a > @' a.txt)\"", "true @", "!a=(1 2 @); echo ${a[1]} ${#a[*]}",
        "!while [[ a > b@ ]]; do echo; done", "echo '<a href=\"x@\">'", "echo -e 'a\\n> @'", "echo a'>'@", "echo '\"' '>' @", "!if ((@ > 2 && 3 > 1)); then echo yes; fi", "![[ -n $(echo 'a > @') && b > a ]]",
    ),
    "to nowhere": any_of(
        "cat ~", "ls -la none@", "grep -rn alpha@ src", "git status", "echo @", "wc -l ~", "head -@ ~", "find . -name x@", "git diff --stat", "sort ~", "date +%@", "sed -n @p ~",
        sink=(" > /dev/null", " 2>&1", " 2>/dev/null", " &> /dev/null", " >/dev/null 2>&1", " >&2", " | cat", " | head -3", " | tee /dev/null", " 2>&1 | tail -1", " > /dev/stderr", " 2>&1 >/dev/null | wc -l", " 1>&2 2>/dev/null", " 2>&-", " |& cat", " | tee", " | while read -r l; do echo \"$l\"; done", " | xargs echo", " >> /dev/null", " | { read -r l; echo \"$l\"; }", " | awk '$1 > 3'", " | tee /dev/stderr >/dev/null", " >/dev/fd/2"),
    ),
    "shell words": any_of(
        "!export A=@ B='x > y'", "!x=@", "!set -euo pipefail; set +e", "!local_name=@; readonly r@=1", "!a=(x@ 'b c')", "!declare -A m=([k]=v@); echo ${m[k]}", "!read -r x < a.txt; echo $x@", "!printf -v s '%d>' @; echo \"$s\"", "!type bash@", "!alias l@='ls > x'", "!shopt -s nullglob; echo *.@",
        "!cat <<< 'a > @'", "!cat <<'E'\necho a > b@\nrm -rf src\nE", "!diff <(sort a.txt) <(sort b.txt) | head -@", "!sort a.txt | comm -12 - <(sort b.txt) | tail -@", "!trap - EXIT; echo @", "!unset x@", "!hash -r; echo @", "!mapfile -t l < a.txt; echo ${#l[*]} @", "!while read -r l; do echo \"$l > @\"; done < a.txt", "!exec 3< a.txt; read -r x <&3; echo $x@; exec 3<&-",
        "!wait; jobs; echo @", "!ulimit -n; umask; echo @", "!pushd src > /dev/null; ls -@; popd > /dev/null", "!test -f ~ && echo yes || echo no@", "!sleep 0.0@", "!cat a.txt | wc -l <<E@\nalpha > beta\nE@", "!IFS=, read -r a b <<< 'x,y>@'; echo $b", "!f() { echo @; cat b.txt; }; f", "!select_@=1; echo", "!: ${x:=@}; : > /dev/null", "!basename ~; dirname ~",
    ),
}  # fmt: skip
