"""A detector that has a new id keeps its settings and its saved state."""

import msgspec
import pytest

from headway import Monitor, Settings
from headway.config.find import find_settings
from headway.config.renames import RENAMED, current_id
from headway.detectors import built_in
from tests.command import headway

PHRASE = "I will look at the next file now. "


def test_every_current_id_is_a_detector_and_no_old_id_is():
    assert set(RENAMED.values()) <= built_in().keys()
    assert set() == RENAMED.keys() & built_in().keys()


@pytest.mark.parametrize(
    "given",
    [
        {"detectors": {"chanting": {"limit": 9}}},
        {"model_overrides": {"gpt*": {"detectors": {"chanting": {"limit": 9}}}}},
    ],
)
def test_settings_with_an_old_id_apply_to_the_renamed_detector(given):
    (detector,) = [one for one in Monitor(settings=given, model="gpt-9").detectors if one.id == "repeated_phrase"]
    assert 9 == detector.limit


def test_lists_of_detectors_in_the_policy_may_have_old_ids():
    assert ("repeated_phrase", "stalled") == Settings.of(
        {"policy": {"only_recorded": ("chanting", "stalled")}}
    ).policy.only_recorded


def test_the_current_id_wins_over_the_old_one():
    given = {"detectors": {"repeated_phrase": {"limit": 7}, "chanting": {"limit": 9}}}
    assert {"repeated_phrase": {"limit": 7}} == Settings.of(given).detectors


def test_a_tool_of_the_user_may_have_the_name_of_an_old_id():
    assert ["chanting"] == list(Settings.of({"tools": {"chanting": {"kind": "search"}}}).tools)


def test_the_origin_of_a_setting_is_found_under_the_current_id(tmp_path):
    found = find_settings(["detectors.chanting.limit=9"], tmp_path, {})
    assert 9 == found.settings.detectors["repeated_phrase"]["limit"]
    assert "detectors.repeated_phrase.limit" in found.origins


def test_a_session_saved_with_an_old_id_continues():
    monitor = Monitor(settings={"detectors": {"repeated_phrase": {"limit": 4}}})
    monitor.agent_spoke(PHRASE * 8)
    old = msgspec.msgpack.decode(monitor.save())
    text = msgspec.json.encode(old, enc_hook=str).decode()
    assert '"repeated_phrase"' in text and '"repeated_phrase:' in text
    saved = monitor.save().replace(b"\xafrepeated_phrase", b"\xa8chanting")
    for entry_key in {key for key in old["session"]["ledger"]["entries"] if key.startswith("repeated_phrase:")}:
        before, after = entry_key.encode(), entry_key.replace("repeated_phrase", "chanting").encode()
        saved = saved.replace(_text(before), _text(after))
    assert b"repeated_phrase" not in saved

    again = Monitor.load(saved)

    assert again.session.has_pattern("repeated_phrase")
    assert 4 == next(one.limit for one in again.detectors if one.id == "repeated_phrase")
    assert monitor.session.patterns().keys() == again.session.patterns().keys()


def _text(data: bytes) -> bytes:
    """A short text as MessagePack writes it."""
    head = bytes([0xA0 | len(data)]) if len(data) < 32 else bytes([0xD9, len(data)])
    return head + data


def test_explain_knows_the_old_id():
    done = headway("explain", "chanting", text=True)
    assert 0 == done.returncode and current_id("chanting") in done.stdout
