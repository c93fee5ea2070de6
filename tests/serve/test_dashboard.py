"""The dashboard in a real browser: what a person sees, while real hooks feed it."""

import json
import socket
import sqlite3
import time

import pytest

from tests.hosts.hook.programs import Program, refusal_in, run
from tests.serve.running import Running
from tests.serve.test_app import shown

COMMAND, OUTPUT = "pytest -q", "1 failed: AssertionError"


@pytest.fixture
def expect():
    """What a page is expected to show. Only a page that never shows it fails: a busy machine may take its time."""
    expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
    expect.set_options(timeout=60_000)
    return expect


def working(session, prompt, count=2):
    program = Program("claude-code", session)
    program.prompt(prompt)
    for n in range(count):
        program.step(f"cat file{n}.py", f"text {n}")
    return program


def loop(program, times=3):
    return [refusal_in(program.step(COMMAND, OUTPUT, failed=True)[0]) for _ in range(times)][-1]


def titles(page):
    return page.locator(".sessions .title").all_inner_texts()


def test_a_looping_session_moves_to_the_top_without_being_asked_for(dashboard, expect):
    first, last = working("s1", "Fix the login"), working("s2", "Add a page")
    page = dashboard()
    expect(page.locator(".sessions li")).to_have_count(2)
    assert ["Add a page", "Fix the login"] == titles(page)

    asked = list(page.requests)

    loop(first)

    expect(page.locator(".sessions li").first).to_contain_text("looping")
    assert asked == page.requests  # the service told it, at once
    assert ["Fix the login", "Add a page"] == titles(page)
    expect(page.locator(".sessions li").first).to_contain_text("failed in the same way 3 times in a row")
    last.step("ls", "a.py")
    expect(page.locator(".sessions li").last).to_contain_text("3 steps")


def test_a_real_hook_process_feeds_it(dashboard, expect):
    page = dashboard()
    expect(page.locator("#nothing")).to_contain_text("headway install claude-code")
    data = Program("claude-code").spelled("prompt", prompt="Write a parser", message="")

    assert 0 == run(json.dumps(data).encode(), "--agent", "claude-code").returncode

    expect(page.locator(".sessions .title")).to_have_text("Write a parser")


def test_allow_lets_the_next_call_through(dashboard, expect):
    program = working("s1", "Fix the login")
    assert loop(program, 5)
    page = dashboard()
    page.locator(".sessions a").click()

    page.get_by_role("button", name="Allow this repeat").click()

    expect(page.locator(".done-so")).to_contain_text("may run again")
    assert "" == refusal_in(program.step(COMMAND, OUTPUT, failed=True)[0])


def test_stop_takes_two_clicks_and_ends_it(dashboard, expect):
    program = working("s1", "Fix the login")
    page = dashboard()
    page.locator(".sessions a").click()
    stop = page.get_by_role("button", name="Stop this agent")

    stop.click()
    expect(stop).to_contain_text("click again")
    assert "" == refusal_in(program.step("ls", "a.py")[0])
    stop.click()

    expect(page.locator(".done-so")).to_contain_text("stopped at its next call")
    assert refusal_in(program.step("ls", "a.py")[0])


def test_mute_quiets_a_detector_in_the_project(dashboard, expect):
    program = working("s1", "Fix the login")
    loop(program)
    page = dashboard()
    page.locator(".sessions a").click()

    page.get_by_role("button", name="Mute exact_cycle for a day").click()

    expect(page.locator(".done-so")).to_contain_text("exact_cycle is muted in")
    assert "exact_cycle" not in loop(program, 6)


def test_two_dashboards_agree(dashboard, expect):
    program = working("s1", "Fix the login")
    pages = [dashboard(), dashboard()]
    loop(program, 9)
    for page in pages:
        expect(page.locator(".sessions li").first).to_contain_text("needs you")
    assert pages[0].locator("#list").inner_text() == pages[1].locator("#list").inner_text()


def test_it_reconnects_after_the_service_was_started_again(dashboard, expect, state):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with Running(state, port) as running:
        page = dashboard(running=running)
        expect(page.locator("#connection")).to_have_text("live")
    expect(page.locator("#connection")).to_contain_text("reconnecting")
    working("s1", "Fix the login")

    with Running(state, port):
        expect(page.locator(".sessions .title")).to_have_text("Fix the login")
        expect(page.locator("#connection")).to_have_text("live")


@pytest.mark.quick
def test_a_transcript_full_of_script_is_inert(dashboard, expect):
    attack = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    program = Program("claude-code", attack)
    program.prompt(f"{attack} ]]> javascript:alert(3)")
    for _ in range(4):
        program.step(f"pytest -k '{attack}'", f"1 failed: {attack}", failed=True)
    page = dashboard()

    page.locator(".sessions a").click()

    expect(page.locator(".told blockquote").first).to_contain_text("<img src=x")
    assert 0 == page.locator("img, main script").count()
    assert attack in page.locator("#session h2").first.inner_text()


def test_without_the_token_nothing_is_shown(dashboard, expect, client):
    working("s1", "Fix the login")
    page = dashboard(token="x" * 40)
    expect(page.locator("#notice")).to_contain_text("headway serve --open")
    assert 0 == page.locator(".sessions li").count()
    assert 403 == client.get("/api/sessions", origin="https://evil.example").status
    assert 401 == client.get("/api/sessions", authorization=None).status


def test_the_token_does_not_stay_in_the_address(dashboard, expect):
    page = dashboard()
    expect(page.locator("#connection")).to_have_text("live")
    assert "token" not in page.url


def test_a_session_has_an_address_and_grows_while_it_is_open(dashboard, expect, client):
    program = working("s1", "Fix the login", 3)
    id = shown(client, lambda all: all and all[0]["steps"] == 3)[0]["id"]
    page = dashboard(f"session/{id}")
    expect(page.locator("#session .cells .cell")).to_have_count(3)

    program.step("cat c.py", "c")

    expect(page.locator("#session .cells .cell")).to_have_count(4)
    page.locator("#session .cells").focus()
    page.keyboard.press("End")
    expect(page.locator(".step")).to_contain_text("cat c.py")
    page.keyboard.press("Escape")
    expect(page.locator("#sessions")).to_be_visible()


def test_the_keyboard_leads_from_session_to_session(dashboard, expect):
    working("s1", "Fix the login")
    working("s2", "Add a page")
    page = dashboard()
    expect(page.locator(".sessions li")).to_have_count(2)

    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")

    expect(page.locator("#session h2").first).to_have_text("Fix the login")
    page.keyboard.press("/")
    page.keyboard.type("page")
    expect(page.locator(".sessions .title")).to_have_text("Add a page")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_it_without_scrolling_sideways(dashboard, expect, scheme):
    loop(working("s1", "Fix the login " + "x" * 200))
    page = dashboard(viewport={"width": 380, "height": 800}, color_scheme=scheme, reduced_motion="reduce")
    expect(page.locator(".sessions li")).to_have_count(1)
    assert 380 >= page.evaluate("document.documentElement.scrollWidth")
    page.locator(".sessions a").click()
    expect(page.locator("#session .cells .cell")).not_to_have_count(0)
    assert 380 >= page.evaluate("document.documentElement.scrollWidth")
    assert "none" == page.evaluate("getComputedStyle(document.querySelector('.state'), '::before').animationName")


def test_200_sessions_and_5000_steps_do_not_stutter(dashboard, expect, client):
    """The longest the page ever keeps its reader waiting, compared with a frame's time many times over."""
    page = dashboard()
    cells = [
        {"number": n, "at": 1.0, "tool": "Bash", "kind": "run", "title": f"make {n}", "outcome": "ok"}
        for n in range(1, 11)
    ]
    one = {"host": "claude-code", "agent": "", "cwd": "/p", "project": "p", "model": None, "started_at": 1.0, "seen_at": 9.0,
           "state": "working", "steps": 10, "cells": cells, "finding": None, "revision": 1, "prompt": "Fix"}  # fmt: skip
    many = [{**one, "id": f"i{n}", "session": f"s{n}"} for n in range(200)]
    expect(page.locator("#connection")).to_have_text("live")
    slowest = page.evaluate(
        """async (many) => {
            const { take } = await import("/page/dashboard.js");
            const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
            take("sessions", { sessions: many });
            await frame();
            let slowest = 0;
            for (let round = 0; round < 50; round++) {
                const began = performance.now();
                take("change", { changed: many.slice(round, round + 20).map((one) => ({ ...one, steps: round, state: round % 2 ? "looping" : "working" })), gone: [] });
                await frame();
                slowest = Math.max(slowest, performance.now() - began);
            }
            return slowest;
        }""",
        many,
    )
    assert 100 == page.locator(".sessions li").count()
    assert slowest < 1000  # 20 ms on a quiet machine


def test_history_shows_what_the_recordings_come_to(dashboard, expect, state, monkeypatch):
    monkeypatch.setenv("HOME", str(state.parent / "home"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(state.parent / "claude"))
    folder = state.parent / "claude" / "projects" / "-p"
    folder.mkdir(parents=True)
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    lines = [
        {
            "type": "user",
            "sessionId": "s",
            "timestamp": now,
            "cwd": "/home/dev/shop",
            "message": {"role": "user", "content": "Fix it"},
        }
    ]
    for n in range(4):
        call = {"type": "tool_use", "id": f"t{n}", "name": "Bash", "input": {"command": "ls"}}
        lines.append(
            {
                "type": "assistant",
                "sessionId": "s",
                "timestamp": now,
                "message": {
                    "role": "assistant",
                    "model": "claude-sonnet-4-5",
                    "id": f"m{n}",
                    "content": [call],
                    "usage": {"input_tokens": 10, "output_tokens": 5},
                },
            }
        )
        lines.append(
            {
                "type": "user",
                "sessionId": "s",
                "timestamp": now,
                "message": {
                    "role": "user",
                    "content": [{"type": "tool_result", "tool_use_id": f"t{n}", "content": f"file{n}"}],
                },
            }
        )
    (folder / "s.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")

    page = dashboard("history")

    expect(page.locator("#history h2")).to_have_text("1 run in the recordings of the last 28 days")
    expect(page.locator("#history td").first).to_have_text("shop")


def test_a_loop_shows_its_rounds(dashboard, expect, state):
    project = state.parent / "shop"
    folder = project / ".headway" / "loops" / "loop-1"
    folder.mkdir(parents=True)
    rounds = [
        {
            "iteration": {"number": n, "measured": {"test_count": 4, "tests_passed": n + 1}},
            "recommendation": {"action": "continue", "reason": "progress", "confidence": 1.0},
            "kept": True,
            "why": "more tests pass",
        }
        for n in range(3)
    ]
    (folder / "loop.json").write_text(
        json.dumps({"version": 1, "loop_id": "loop-1", "task": "Fix <b>all</b>", "rounds": rounds}), "utf-8"
    )
    program = Program("claude-code")
    program._ask(program.spelled("prompt", prompt="Go", message="") | {"cwd": str(project)})

    page = dashboard("loops")

    expect(page.locator("#loops h2")).to_have_text("shop: Fix <b>all</b>")
    expect(page.locator("#loops tbody tr")).to_have_count(3)
    expect(page.locator("#loops tbody tr").last).to_contain_text("3 of 4")


@pytest.mark.slow
def test_5000_steps_are_drawn_and_grow(dashboard, expect, client, state):
    program = working("s1", "Fix the login")
    with sqlite3.connect(state / "sessions.db") as database:
        (columns,) = database.execute(
            "SELECT group_concat(name) FROM pragma_table_info('steps') WHERE name NOT IN ('id', 'number')"
        ).fetchone()
        copy = f"INSERT INTO steps (number, {columns}) SELECT ?, {columns} FROM steps WHERE number = 2"
        database.executemany(copy, [(number,) for number in range(3, 5001)])
        database.execute("UPDATE sessions SET revision = revision + 1")
    database.close()
    id = shown(client, lambda all: all and len(all[0]["cells"]) == 10)[0]["id"]
    page = dashboard(f"session/{id}")
    expect(page.locator("#session .cells .cell")).to_have_count(5000)

    program.step("cat c.py", "c")  # its number is that of a step that is there: nothing is drawn twice

    page.locator("#session .cells").focus()
    page.keyboard.press("End")
    expect(page.locator(".step")).to_contain_text("Step 5000")
    assert 5000 == page.locator("#session .cells .cell").count()
