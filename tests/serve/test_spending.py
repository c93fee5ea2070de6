"""Tokens and cost of live sessions, from the recordings that their programs write."""

import json
from datetime import date

from headway.config.price_files import Price, PriceTable
from headway.serve.spending import Spending, SpendingReader, spending_in

PRICES = PriceTable(date(2026, 11, 1), (Price(model="claude-sonnet-4-5", input=3, output=15),))


def recorded(path, *models):
    lines = [
        {
            "type": "user",
            "sessionId": "s",
            "timestamp": "2026-11-16T10:00:00Z",
            "message": {"role": "user", "content": "Fix it"},
        }
    ]
    lines += [
        {"type": "assistant", "sessionId": "s", "timestamp": "2026-11-16T10:00:01Z", "message": {
            "role": "assistant", "id": f"m{n}", "model": model, "content": [{"type": "text", "text": "ok"}],
            "usage": {"input_tokens": 1_000_000, "output_tokens": 100_000}}}
        for n, model in enumerate(models)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def test_tokens_are_priced_from_the_table(tmp_path):
    path = recorded(tmp_path / "s.jsonl", "claude-sonnet-4-5", "claude-sonnet-4-5")
    assert Spending(2_200_000, 9.0, estimated=True) == spending_in(path, PRICES)


def test_the_cost_is_unknown_if_one_model_has_no_price(tmp_path):
    path = recorded(tmp_path / "s.jsonl", "claude-sonnet-4-5", "another")
    assert Spending(2_200_000, None) == spending_in(path, PRICES)
    assert Spending(2_200_000, None) == spending_in(path, None)


def test_what_is_no_recording_tells_nothing(tmp_path):
    (tmp_path / "s.jsonl").write_text("no recording", "utf-8")
    assert spending_in(tmp_path / "s.jsonl", PRICES) is None
    assert spending_in(tmp_path / "missing", PRICES) is None


def test_a_recording_is_read_again_only_when_it_has_grown(tmp_path):
    path, told = recorded(tmp_path / "s.jsonl", "claude-sonnet-4-5"), []
    reader = SpendingReader(lambda: [str(path)], lambda: told.append(reader.known[str(path)].tokens))
    reader.look(PRICES)
    reader.look(PRICES)
    recorded(path, "claude-sonnet-4-5", "claude-sonnet-4-5")
    reader.look(PRICES)
    assert [1_100_000, 2_200_000] == told
    reader._transcripts = list
    reader.look(PRICES)
    assert {} == reader.known
