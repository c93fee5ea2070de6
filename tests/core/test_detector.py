"""What an author of a detector gets wrong is told when the class is made, not when it stays silent."""

import typing
from typing import ClassVar, Literal

import pytest

from headway import Detector, state
from tests.scaffold.places import ROOT, run
from tests.streams import failure, watch


def test_settings_and_state_are_told_apart():
    class Mine(Detector):
        limit: int = 3
        mode: Literal["ClassVar", "other"] = "other"
        shared: ClassVar[int] = 1
        written: "ClassVar[int]" = 2
        dotted: "typing.ClassVar[int]" = 3
        streak: int = state(0)

    assert ["severity", "enabled", "advisory", "limit", "mode"] == Mine.setting_names()
    assert {"streak": 0} == Mine().save()


def test_state_cannot_be_set_from_outside():
    class Mine(Detector):
        streak: int = state(0)

    with pytest.raises(TypeError, match="Mine has no setting 'streak'; expected one of: severity, enabled, advisory"):
        Mine(streak=3)


@pytest.mark.parametrize("name", ["clears", "confidence", "kinds", "only_failures"])
def test_what_belongs_to_the_class_is_no_setting_by_accident(name):
    body = {"__annotations__": {name: type(getattr(Detector, name))}, name: getattr(Detector, name)}
    with pytest.raises(TypeError, match=rf"Mine\.{name} cannot be annotated: .* Write `{name} = \.\.\.`"):
        type("Mine", (Detector,), body)


def test_state_needs_a_type():
    with pytest.raises(TypeError, match=r"Mine\.streak needs a type: `streak: int = state\(\.\.\.\)`"):
        type("Mine", (Detector,), {"streak": state(0)})


def test_a_misspelt_hook_is_told():
    with pytest.raises(
        TypeError, match=r"Mine\.on_steps is not a hook, so it is never called; hooks are: on_step, on_message"
    ):
        type("Mine", (Detector,), {"on_steps": lambda self, step, session: ()})


def test_counts_include_the_present_step():
    seen = []

    class Mine(Detector):
        def on_step(self, step, session):
            seen.append((session.steps[-1] is step, session.step_count == step.number, session.consecutive_errors))
            return ()

    watch(Mine(), failure(), failure(), failure())
    assert [(True, True, 1), (True, True, 2), (True, True, 3)] == seen


USE = """
from headway import Detector, state


class Mine(Detector):
    limit: int = 3
    streak: int = state(0)
    seen: dict[str, int] = state(factory=dict)


Mine()
Mine(limit=4)
Mine(streak=3)
"""


def test_mypy_knows_which_fields_can_be_set(tmp_path):
    (tmp_path / "use.py").write_text(USE)
    done = run(ROOT, "mypy", "--strict", tmp_path / "use.py")
    assert 'use.py:13: error: Unexpected keyword argument "streak" for "Mine"' in done.stdout
    assert "Found 1 error in 1 file" in done.stdout
