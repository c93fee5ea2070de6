"""Builds small projects."""

import subprocess
from pathlib import Path
from textwrap import dedent

OUTPUTS = Path(__file__).parent / "outputs"


def project(folder: Path, files: dict[str, str]) -> Path:
    """Write files into a folder: path and content."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))
    return folder


HEALTHY = {
    "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-x'\n[tool.ruff.lint]\nselect = ['F']\n[tool.mypy]\nfiles = 'shop'\n",
    "shop/price.py": """
        def price(count: int) -> int:
            if count > 10:
                return count * 9
            return count * 10
        """,
    "tests/test_price.py": """
        import pytest
        from shop.price import price

        @pytest.mark.parametrize("count", [1, 2])
        def test_price(count):
            assert price(count) == count * 10
        """,
}
BROKEN = {
    **HEALTHY,
    "shop/wrong.py": "import os\n\nname: int = 'x'\n",
    "tests/test_wrong.py": """
        import unittest
        import pytest
        from shop.price import price

        @pytest.fixture
        def crumbling():
            yield
            raise RuntimeError("at the end")

        def test_fails():
            assert price(1) == 0

        def test_fails_twice(crumbling):
            assert price(1) == 0

        @pytest.mark.skip
        def test_skipped():
            pass

        @pytest.mark.xfail
        def test_expected_to_fail():
            assert price(1) == 0

        class TestInClass(unittest.TestCase):
            def test_passes(self):
                assert price(1) == 10
        """,
    "tests/test_missing.py": "from shop import nowhere\n\ndef test_never_runs():\n    pass\n",
}


def shop(folder: Path, files: dict[str, str]) -> Path:
    """The project that tests measure: a package, its tests, and settings for ruff and mypy."""
    project(folder, files)
    (folder / "shop" / "__init__.py").write_text("")
    return folder


def snapshot(folder: Path) -> dict[str, bytes]:
    """All files of a folder with their content."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def done(*command: object, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Run a real tool."""
    return subprocess.run([*map(str, command)], cwd=folder, capture_output=True, timeout=120, check=False)
