"""The language stays plain: no riddles in code and pages, and findings that are whole sentences."""

import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest

from headway.detectors import built_in
from tests.provocations import LIMITS, PROVOCATIONS
from tests.streams import engine_of, spelled

ROOT = Path(__file__).parent.parent.parent
AVOIDED = {
    r"nobody|somebody|whoever": "name who it is, or use the passive",
    r"heed(?:s|ed|ing)?": "follow",
    r"(?:the|this|that) very (?:same|call|thing|edit|file|moment|answer)": "the same",
    r"(?:is|was|were|been) heard of": "was active, or known",
    r"earn(?:s|ed) (?:a|an|its|the|stop)": "got",
    r"worth a stop|would be stopped": "would have been stopped",
    r"pass(?:ed|es) over": "skipped, or ignored",
    r"for ever|anew": "forever, or again",
    r"(?:came|comes|become|becomes|became) of (?:it|a|the|them|this|that)": "the result",
    r"(?:tells?|told) of": "report, or say",
    r"handed over": "selected",
    r"taken? in|(?:take|takes|taken|taking|took) up(?! to)": "process, resume, or use",
    r"speaks? up|before we speak": "fires, or reports",
    r"empty pythons?": "python -c pass",
    r"(?:user|person|you) (?:last )?(?:speaks?|spoke)": "send a message",
    r"(?:agent|model) (?:is|was|has been) (?:not |only |first )?told(?! to)": "is nudged, or gets a message",
    r"tells (?:the|its) (?:agent|model)(?! (?:that|to|what))": "nudges the agent",
    r"(?:that|which|what|it) is no (?!longer|more|less|better|worse)\w+": "is not a",
    r"unfold(?:s|ed|ing)?": "expand",
    r"stands? (?:in|between|beside|under)": "is",
    r"the present (?:step|one|folder|event|state|file)": "the current one",
    r"left undone": "prevented",
    r"how-manieth|goes round in circles|mended|taken back|sittings?|handed on|as one would": "see the glossary",
}
"""Phrases that read like a translation, and what to write instead."""
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    ROOT / "plugins" / "claude-code" / "README.md",
    ROOT / "clients" / "typescript" / "README.md",
    *(page for page in (ROOT / "docs").rglob("*.md") if page.name != "glossary.md"),
]

PLUGIN = (
    ROOT / ".claude-plugin" / "marketplace.json",
    ROOT / "plugins" / "claude-code" / ".claude-plugin" / "plugin.json",
)
"""What Claude Code shows of the plugin, in its marketplace and where it is installed."""


@cache
def texts():
    """All code and pages, and the descriptions of the plugin, read once for all phrases."""
    return {path: path.read_text("utf-8") for path in (*(ROOT / "src" / "headway").rglob("*.py"), *PAGES, *PLUGIN)}


@pytest.mark.parametrize("phrase", AVOIDED)
def test_no_phrase_that_has_to_be_decoded(phrase):
    pattern = re.compile(rf"\b(?:{phrase})\b", re.IGNORECASE)
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path, text in texts().items()
        if pattern.search(text)
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]
    assert [] == found, f"instead: {AVOIDED[phrase]}"


def test_the_plugin_is_described_in_the_same_words_wherever_it_is_offered():
    marketplace, plugin = (json.loads(path.read_text("utf-8")) for path in PLUGIN)
    assert [plugin["description"]] == [one["description"] for one in marketplace["plugins"]]


def test_users_read_of_rounds_and_never_of_iterations():
    """The names of settings, fields and files keep their word; sentences do not use it."""
    pages = [page for page in PAGES if "development" not in page.parts and page.name != "CONTRIBUTING.md"]
    prose = {page: re.sub(r"```.*?```|`[^`]*`", "", page.read_text("utf-8"), flags=re.DOTALL) for page in pages}
    found = [
        f"{page.name}: {match[0]}" for page, text in prose.items() for match in re.finditer(r"\biterations?\b", text)
    ]
    assert [] == found


@pytest.mark.parametrize("id", sorted(built_in()))
def test_a_finding_is_a_whole_sentence_and_says_what_clears_it_in_another(id):
    detector = built_in()[id](**({"paths": ("tests",)} if id == "protected_files" else {}))
    engine = engine_of(detector, limits=LIMITS, targets=("goal.py",))
    stream = [event for happening in spelled(PROVOCATIONS[id](detector)) for event in happening]
    findings = [finding for event in stream for finding in engine.feed(event).findings]
    assert findings
    for sentence in {text for finding in findings for text in (finding.message, finding.clears) if text}:
        assert re.match(r"[A-Z0-9`]|[\w./-]+ (?:is|was|has|returned|failed)\b", sentence), sentence
        assert sentence.endswith(".") and not sentence.endswith("..") and "  " not in sentence, sentence


def test_every_package_says_what_lives_there_and_who_calls_it():
    """One line repeats the name. A reader who opens a folder needs to know where to begin, and what belongs there."""
    packages = [path for path in texts() if path.name == "__init__.py"]
    said = {path: ast.get_docstring(ast.parse(texts()[path])) or "" for path in packages}
    short = [str(path.relative_to(ROOT)) for path, text in said.items() if len(text.splitlines()) < 3]
    assert len(packages) > 40 and [] == short


def test_a_message_names_the_package_that_is_ours():
    """`headway` on PyPI is another project."""
    sources = "\n".join(path.read_text("utf-8") for path in (ROOT / "src" / "headway").rglob("*.py"))
    assert [] == re.findall(r"pip install '?headway(?!-agents)\b", sources)
