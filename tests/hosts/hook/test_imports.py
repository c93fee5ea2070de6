"""How the hook imports modules in less time: it must make no difference to what they are."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import headway

SRC = Path(headway.__file__).parent


def said_by(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env={**os.environ, **environment}
    )
    assert "" == done.stderr
    return done.stdout.strip()


WITHOUT = "import sys; from headway.hosts.hook.msgspec_import import import_msgspec; import_msgspec(); import msgspec; "


def test_msgspec_comes_without_what_only_others_need():
    loaded = said_by(WITHOUT + "print(*sys.modules)").split()

    assert "msgspec" in loaded
    assert set() == {"typing_extensions", "platform", "textwrap", "msgspec.inspect", "msgspec._json_schema"} & {*loaded}


def test_what_msgspec_came_without_can_be_used_afterwards():
    used = "print(type(msgspec.inspect.type_info(int)) is msgspec.inspect.IntType, msgspec.json.schema(int))"

    assert "True {'type': 'integer'}" == said_by(WITHOUT + used)


def test_modules_that_were_stood_in_for_are_the_real_ones_afterwards():
    code = WITHOUT + (
        "import datetime, platform, uuid; "
        "kinds = datetime.datetime, uuid.UUID; "
        "read = [msgspec.convert(text, kind) for text, kind in zip(('2026-11-01T00:00:00', '0' * 32), kinds)]; "
        "print([type(one) in kinds for one in read], datetime.timezone.utc, platform.machine() != '', "
        "uuid._LINUX == (platform.system() == 'Linux'), datetime.__file__ != '')"
    )

    assert "[True, True] UTC True True True" == said_by(code)


def test_msgspec_is_imported_as_ever_if_it_needs_more_of_these_modules():
    code = (
        "import sys; from headway.hosts.hook import msgspec_import; "
        "msgspec_import._stand_ins = lambda: {'uuid': None, 'platform': None}; msgspec_import.import_msgspec(); "
        "import msgspec, uuid, platform; print(msgspec.json.encode(uuid.UUID(int=1)), platform.system() != '')"
    )

    assert "b'\"00000000-0000-0000-0000-000000000001\"' True" == said_by(code)


def copied(folder: Path) -> Path:
    """Headway in another place, which may be changed."""
    return Path(shutil.copytree(SRC, folder / "headway", ignore=shutil.ignore_patterns("__pycache__")))


QUICKLY = "from headway.hosts.hook.bytecode import find_quickly; find_quickly(); "


def test_a_module_is_read_again_when_it_has_changed(tmp_path):
    text = copied(tmp_path) / "rolling" / "text.py"
    ask = QUICKLY + "import headway.rolling.text as text; print(text.counted(2, 'run'), text.__file__, text.__cached__)"
    path = {"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": ""}
    first = said_by(ask, **path)
    again = said_by(ask, **path)
    written = (text.parent / "__pycache__").exists()
    text.write_text(
        text.read_text().replace("def counted(count", "def counted(count, one): return 'other'\ndef _(count")
    )

    assert first == again == f"2 runs {text} {text.parent / '__pycache__' / f'text.{sys.implementation.cache_tag}.pyc'}"
    assert written and said_by(ask, **path).startswith("other ")


def test_bytecode_that_breaks_off_or_belongs_to_another_version_is_not_used(tmp_path):
    place = copied(tmp_path) / "rolling" / "__pycache__" / f"text.{sys.implementation.cache_tag}.pyc"
    ask = QUICKLY + "import headway.rolling.text as text; print(text.counted(2, 'run'))"
    path = {"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": ""}
    said_by(ask, **path)
    whole = place.read_bytes()
    for wrong in (b"", whole[:9], b"\0\0\r\n" + whole[4:], whole[:4] + b"\3" + whole[5:]):
        place.write_bytes(wrong)
        assert "2 runs" == said_by(ask, **path)


def test_a_module_is_named_as_ever_in_a_traceback_after_its_folder_moved(tmp_path):
    before = copied(tmp_path / "a")
    said_by(QUICKLY + "import headway.rolling.text", PYTHONPATH=str(before.parent), PYTHONDONTWRITEBYTECODE="")
    after = (tmp_path / "a").rename(tmp_path / "b") / "headway" / "rolling" / "text.py"
    code = QUICKLY + "import headway.rolling.text as text; print(text.clip.__code__.co_filename)"

    assert str(after) == said_by(code, PYTHONPATH=str(tmp_path / "b"))


def test_a_python_with_other_internals_imports_in_its_own_way(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['_frozen_importlib_external'] = None\n")
    code = (
        "import sys; from headway.hosts.hook.run import _import_quickly; before = list(sys.meta_path); "
        "_import_quickly(); print(before == sys.meta_path, 'headway.hosts.hook.bytecode' in sys.modules)"
    )

    assert "True False" == said_by(code, PYTHONPATH=str(tmp_path))
