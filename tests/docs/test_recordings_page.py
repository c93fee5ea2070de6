"""The page about recordings is true."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from headway.readers import readers
from tests.command import headway
from tests.packages import installed

PAGE = (Path(__file__).parent.parent.parent / "docs" / "recordings.md").read_text()


def test_every_reader_is_on_the_page():
    cells = [line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| `")]
    assert readers().keys() - set(re.findall(r"`([\w-]+)`", " ".join(cells))) == set()


@pytest.fixture
def package(tmp_path):
    """The reader on the page as a package of another author."""
    code = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
    point = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)[1]
    ((group, entries),) = tomllib.loads(point)["project"]["entry-points"].items()
    return installed(tmp_path, group, entries, my_module=code)


def recorded(folder, *more):
    records = [{"my_session": "s", "id": str(n), "tool": "ls", "output": f"a{n}.py"} for n in range(3)]
    path = folder / "my.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in [records[0], *more, *records[1:]]) + "{half")
    return path


def test_the_reader_on_the_page_works(package):
    path = recorded(package, {"my_session": "s", "output": "of nothing"})
    done = headway("scan", path, "--format", "json", PYTHONPATH=str(package))
    (run,) = json.loads(done.stdout)["runs"]
    assert ("s", "my-format", 3, 2) == tuple(run[key] for key in ("run", "reader", "steps", "skipped_records"))
    assert 0 == headway("show", path, PYTHONPATH=str(package)).returncode
    assert 3 == headway("convert", path, "--to", "events", PYTHONPATH=str(package)).stdout.count(b"tool_returned")


@pytest.mark.parametrize("command", [["scan"], ["show"], ["convert", "--to", "events"]])
def test_a_reader_of_another_package_that_fails_is_named_with_the_line(package, command):
    module = package / "my_module.py"
    module.write_text(module.read_text().replace('record.get("id")', 'record["id"]'))
    done = headway(*command, recorded(package, {"my_session": "s"}), PYTHONPATH=str(package))
    assert 2 == done.returncode
    told = "my.jsonl: the reader my-format (my_module) failed at line 2: KeyError: 'id'\n"
    assert done.stderr.decode().endswith(told) and b"Traceback" not in done.stderr
