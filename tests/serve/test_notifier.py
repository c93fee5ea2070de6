"""The service sends what hooks have recorded."""

import time

from tests.hosts.hook.programs import Program
from tests.hosts.test_notifications import Receiver


def test_a_stop_is_sent_while_the_service_runs(client, monkeypatch):
    receiver = Receiver()
    monkeypatch.setenv("HEADWAY_NOTIFY__WEBHOOK", receiver.url)
    program = Program("claude-code")
    for _ in range(7):
        program.step("cat notes.txt", "nothing new")

    deadline = time.monotonic() + 60
    while not receiver.received and time.monotonic() < deadline:
        time.sleep(0.05)

    receiver.shutdown()
    receiver.thread.join()
    receiver.server_close()
    assert ["stop"] == [sent["kind"] for _, sent in receiver.received]
