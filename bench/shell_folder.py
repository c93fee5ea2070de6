"""The folder that the lines of `bench/shell.py` run in: made anew after each line that changes it."""

import os
import stat
import subprocess
from pathlib import Path
from shutil import rmtree, which

FILES = {
    "a.txt": "alpha\nbeta\ngamma 3\n", "b.txt": "one\nalpha two\nbeta\nfour\n", "my notes.md": "# Notes\nalpha\nbeta\n",
    "src/app.py": "import util\n\nalpha = 1\nbeta = util.half(alpha)\n", "src/util.py": "def half(x):\n    alpha = beta = x\n    return alpha / 2\n",
    "conf.yaml": "alpha: 1\nbeta: 2\n", "table.csv": "ann,3\nbob,alpha\ncid,beta\n", "data.json": '{"alpha": 1}\n', "out/.keep": "",
    "main.c": "int main(void) { return 0; }\n", "Makefile": "all:\n\t@echo made >> made.txt\n", "gen.sh": '#!/bin/bash\necho made > "${1:-made.txt}"\n',
    "files.7z": "", "fix.patch": "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n-alpha\n+ALPHA\n beta\n gamma 3\n",
}  # fmt: skip
SETUP = """
chmod +x gen.sh && mkdir x && echo alpha > x/from_tar.txt && tar cf files.tar -C x from_tar.txt && (cd x && mv from_tar.txt from_zip.txt && zip -q ../files.zip from_zip.txt)
rm -r x && echo alpha > packed && gzip packed && git init -q -b main --template= && cp b.txt b.later && echo alpha > b.txt
git add -A && git commit -qm one && mv b.later b.txt && git add -A && git commit -qm two && git checkout -q -b other && echo more >> b.txt && git commit -qam other
git checkout -q main && echo '# draft' >> src/util.py
"""
PASSING = '#!/bin/bash\nwhile [[ $1 == -* ]]; do [[ $1 == -*u ]] && shift; shift; done\nexec "$@"\n'
WRITING = """#!/bin/bash
case "$1" in
  --version|list|test) echo "$0";;
  *) echo "$*" >> "installed-by-${0##*/}.txt";;
esac
"""
FETCHING = """#!/bin/bash
while (( $# )); do
  case $1 in
    -o|-so|--output|-O) [[ $1 == -O && $0 == *curl ]] && file=page.html || { file=$2; shift; };;
    -sO) file=page.html;;
    http*) url=$1;;
  esac
  shift
done
[[ $0 == *wget ]] && file=${file:-${url##*/}}
if [[ $file && $file != - ]]; then echo "$url" > "$file"; else echo "$url"; fi
"""
SYNCING = '#!/bin/bash\nwhile [[ $1 == -* ]]; do [[ $1 == --exclude ]] && shift; shift; done\n[[ $1 == */ ]] && mkdir -p "$2"\ncp -r "$1"$([[ $1 == */ ]] && echo .) "$2"\n'
UNPACKING = "#!/bin/bash\necho alpha > from_7z.txt\n"
MANAGERS = (
    "npm",
    "yarn",
    "pnpm",
    "pip",
    "pip3",
    "uv",
    "poetry",
    "cargo",
    "go",
    "gem",
    "bundle",
    "apt-get",
    "brew",
    "composer",
    "dotnet",
    "conda",
    "bun",
)
PROGRAMS = {**dict.fromkeys(MANAGERS, WRITING), "sudo": PASSING, "curl": FETCHING, "wget": FETCHING, "rsync": SYNCING, "7z": UNPACKING,
            "python": f'#!/bin/bash\nexec {which("python3", path="/usr/bin:/bin:/usr/local/bin")} -S "$@"\n'}  # fmt: skip

Content = dict[str, tuple[int, bytes]]


class Folder:
    """A small project under version control, and what is in it before each line."""

    def __init__(self, place: Path) -> None:
        self.work, programs, home = place / "work", place / "bin", place / "home"
        for folder in (self.work, programs, home):
            folder.mkdir()
        for name, text in PROGRAMS.items():
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)
        (home / ".gitconfig").write_text("[user]\nname = A\nemail = a@example.com\n[advice]\ndetachedHead = false\n")
        self.environment = {
            "PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin", "HOME": str(home), "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1",
            "TMPDIR": str(home), "TERM": "dumb",
        }  # fmt: skip
        for name, text in FILES.items():
            (self.work / name).parent.mkdir(exist_ok=True)
            (self.work / name).write_text(text)
        self.bash(SETUP)
        self.before = self.content()

    def bash(self, text: str) -> None:
        """Run a line, and wait for what it left in the background."""
        subprocess.run(
            ["bash", "-c", f"{text}\nwait"], cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=False,
        )  # fmt: skip

    def changed_by(self, text: str) -> set[str]:
        """The names, outside of `.git`, that a line changes, makes or removes; afterwards all is as before."""
        self.bash(text)
        after = self.content()
        if after == self.before:
            return set()
        self.restore(after)
        names = {name for name in {*after, *self.before} if after.get(name) != self.before.get(name)}
        return {name for name in names if not name.startswith(".git/")}

    def content(self) -> Content:
        found: Content = {}
        waiting = [""]
        while waiting:
            folder = waiting.pop()
            for entry in os.scandir(self.work / folder):
                name = f"{folder}{entry.name}"
                mode = entry.stat(follow_symlinks=False).st_mode
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(f"{name}/")
                found[name] = (mode, held(entry.path, mode))
        return found

    def restore(self, after: Content) -> None:
        for name in sorted({*after} - {*self.before}, key=len):
            removed(self.work / name)
        for name, (mode, text) in sorted(self.before.items()):
            if after.get(name) != (mode, text):
                put(self.work / name, mode, text)


def held(path: str, mode: int) -> bytes:
    if stat.S_ISLNK(mode):
        return os.fsencode(Path(path).readlink())
    return Path(path).read_bytes() if stat.S_ISREG(mode) else b""


def removed(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        rmtree(path)
    else:
        path.unlink(missing_ok=True)


def put(path: Path, mode: int, text: bytes) -> None:
    if not (stat.S_ISDIR(mode) and path.is_dir()):
        removed(path)
        path.mkdir() if stat.S_ISDIR(mode) else path.write_bytes(text)
    path.chmod(stat.S_IMODE(mode))
