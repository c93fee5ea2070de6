"""The page about TypeScript shows the examples that its own tests run, and the package belongs to this version."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
CLIENT = ROOT / "clients" / "typescript"
PAGE = (ROOT / "docs" / "how-to" / "typescript.md").read_text("utf-8")
README = (CLIENT / "README.md").read_text("utf-8")
PACKAGE = json.loads((CLIENT / "package.json").read_text("utf-8"))
EXAMPLES = sorted((CLIENT / "examples").glob("*.ts"))


def blocks(text):
    return re.findall(r"```ts\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_on_the_page_and_run_by_a_test(example):
    code = example.read_text("utf-8").split("*/\n\n", 1)[1]
    assert code in blocks(PAGE)
    assert f"../examples/{example.stem}.js" in (CLIENT / "test" / "examples.test.ts").read_text("utf-8")


def test_the_page_and_the_readme_show_nothing_else():
    codes = {example.read_text("utf-8").split("*/\n\n", 1)[1] for example in EXAMPLES}
    assert codes == set(blocks(PAGE))
    assert set(blocks(README)) <= codes


def test_the_package_has_the_name_version_and_licence_of_the_python_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert (project["name"], project["version"], project["license"]) == (
        PACKAGE["name"],
        PACKAGE["version"],
        PACKAGE["license"],
    )
    assert (ROOT / "LICENSE").read_bytes() == (CLIENT / "LICENSE").read_bytes()


def test_the_package_depends_on_nothing():
    assert "dependencies" not in PACKAGE
    sources = "".join(path.read_text("utf-8") for path in (CLIENT / "src").glob("*.ts"))
    assert {"."} == {name[0] for name in re.findall(r'from "(?!node:)(.+?)"', sources)}


@pytest.mark.parametrize("option", re.findall(r"^  (\w+)\?:", (CLIENT / "src" / "headway.ts").read_text("utf-8"), re.M))
def test_every_option_is_on_the_page(option):
    assert f"`{option}`" in PAGE


def test_what_npm_installs_and_builds_is_in_no_package_of_ours():
    """Both git and the build of the Python package leave out what `.gitignore` names."""
    made = ["node_modules/ai/package.json", "package-lock.json", "dist/index.js", "build/test/models.js"]
    asked = ["git", "check-ignore", *(f"clients/typescript/{name}" for name in made)]
    ignored = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    assert len(made) == len(ignored)
