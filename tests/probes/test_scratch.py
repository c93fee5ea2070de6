"""The temporary folder of a measurement is removed afterwards, also after `kill -9`, and never while in use."""

import os
import signal
import subprocess
import sys
import tempfile
import time

import pytest

from headway.probes import measure
from headway.probes.scratch import PREFIX, folder_for_reports

HOLD = """
import time
from headway.probes.scratch import folder_for_reports
with folder_for_reports() as folder:
    (folder / "report.xml").write_text("x")
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A temporary folder of the system, for this test alone."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


@pytest.fixture
def holder(place):
    """A process in the middle of measuring, in a folder that looks two days old."""
    with subprocess.Popen([sys.executable, "-c", HOLD], stdout=subprocess.PIPE, text=True) as process:
        made_old(place / process.stdout.readline().strip())
        yield process
        process.kill()


def made_old(folder):
    os.utime(folder, (time.time() - 2 * 86_400,) * 2)


def there(place):
    return sorted(path.name for path in place.glob(f"{PREFIX}*"))


def test_measuring_leaves_no_folder(place, tmp_path):
    measure(tmp_path, [])
    assert [] == there(place)


def test_the_next_measurement_removes_folders_of_killed_processes(place, holder, tmp_path):
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert 1 == len(there(place))
    measure(tmp_path, [])
    assert [] == there(place)


def test_a_folder_in_use_stays_however_old_it_is(place, holder, tmp_path):
    used = there(place)
    measure(tmp_path, [])
    assert 1 == len(used) and used == there(place)


def test_new_folders_and_other_files_stay(place):
    (place / f"{PREFIX}new").mkdir()
    (place / f"{PREFIX}file").write_text("x")
    (place / "elsewhere").mkdir()
    (place / "elsewhere" / "precious").write_text("x")
    (place / f"{PREFIX}link").symlink_to(place / "elsewhere")
    for name in (f"{PREFIX}file", "elsewhere"):
        made_old(place / name)
    with folder_for_reports():
        pass
    assert [f"{PREFIX}file", f"{PREFIX}link", f"{PREFIX}new"] == there(place)
    assert (place / "elsewhere" / "precious").is_file()
