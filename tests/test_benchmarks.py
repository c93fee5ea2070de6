"""Parts of the benchmarks that would give wrong figures without a sound."""

import sys
from pathlib import Path

from headway import Monitor

sys.path.insert(0, str(Path(__file__).parent.parent / "bench"))
from nudges import Nudge, draw
from page_part import put, put_each
from recorded import runs

from core import of_one_run


def test_no_script_has_the_name_of_a_module_of_python():
    """A folder of scripts comes first on their path: `bench/secrets.py` was imported in place of Python's own."""
    root = Path(__file__).parent.parent
    scripts = {path.stem for folder in ("bench", "dev", "examples/frameworks") for path in (root / folder).glob("*.py")}
    assert "core" in scripts and set() == scripts & sys.stdlib_module_names


def test_the_steps_of_all_examples_make_up_one_session():
    monitor = Monitor()
    recorded = [step for _, steps in runs(None) for step in steps]
    for step in recorded:
        for event in step:
            monitor.feed(of_one_run(event))
    assert len(recorded) > 50


def test_a_few_more_nudges_keep_nearly_all_of_the_draw():
    said = [Nudge(f"run {n % 300}", n, "exact_cycle", "") for n in range(700)]
    more = [Nudge("another run", n, "doom_loop", "") for n in range(20)]
    before, after = draw(said, 50), draw(said + more, 50)
    assert len(before) == len(after) == 50
    assert len(set(before) & set(after)) >= 45


def test_a_benchmark_replaces_its_own_parts_of_a_page_and_keeps_the_others(tmp_path):
    page = tmp_path / "page.md"
    put_each(page, "# Page\n\n## Ours\n\nold\n\n## Last\n\nold\n")
    put(page, "## Theirs", "kept", before="## Last")
    put_each(page, "# Page\n\n## Ours\n\nnew\n\n## Last\n\nnew\n")
    assert page.read_text() == "# Page\n\n## Ours\n\nnew\n\n## Theirs\n\nkept\n\n## Last\n\nnew\n"
