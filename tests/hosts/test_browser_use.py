"""browser-use under watch: a scripted model, and a real browser that looks at pages of a server in this process."""

import asyncio
import os
import re
import shutil
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

os.environ["ANONYMIZED_TELEMETRY"] = "false"
os.environ["BROWSER_USE_CLOUD_SYNC"] = "false"
os.environ["BROWSER_USE_VERSION_CHECK"] = "false"
pytest.importorskip("browser_use", reason="browser-use is not installed here; `make test-frameworks` runs this")
from browser_use import Agent, BrowserProfile, BrowserSession, Tools
from browser_use.llm.views import ChatInvokeCompletion, ChatInvokeUsage
from with_browser_use import agent, run

import headway
from headway.hosts.frameworks.browser_use import Headway, RunStopped
from headway.hosts.stores.sqlite import SQLiteStore

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium for browser-use on this machine")

PAGES = {
    "/dead": "<h1>Shop</h1><button>Pay</button>",
    "/again": "<h1>Shop</h1><form action=/again><button>Pay</button></form>",
    "/count": "<h1>0</h1><button onclick=\"document.querySelector('h1').textContent += '|'\">More</button>",
    "/canvas": "<canvas role=button width=200 height=200 onclick=\"let c = this.getContext('2d');"
    'c.fillRect(0, 0, 200, this.drawn = (this.drawn || 0) + 20)"></canvas>',
    "/long": "".join(f"<p style='height: 400px'>Chapter {n}</p>" for n in range(40)),
    "/list": "".join(f"<p><a href=/{n}>Item {n}</a></p>" for n in range(10, 16)),
}


class Pages(BaseHTTPRequestHandler):
    """The pages above, and as many more as anybody wants, each with a link to the next."""

    def do_GET(self):
        path = self.path.rstrip("?")
        number = int(path[1:]) if path[1:].isdigit() else 0
        page = PAGES.get(path, f"<h1>Page {number}</h1><a href=/{number + 1}>Next</a>")
        body = f"<!doctype html><html><head><link rel=icon href=data:,></head><body>{page}</body></html>".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def site():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture(scope="module")
def loop():
    with asyncio.Runner() as runner:
        yield runner.run


@pytest.fixture(scope="module")
def browser(loop, tmp_path_factory):
    """One browser for all tests: each opens its own page."""
    profile = BrowserProfile(
        executable_path=CHROMIUM,
        headless=True,
        chromium_sandbox=False,
        enable_default_extensions=False,
        user_data_dir=tmp_path_factory.mktemp("browser"),
        keep_alive=True,
        minimum_wait_page_load_time=0.1,
        wait_for_network_idle_page_load_time=0.1,
        wait_between_actions=0.0,
    )
    session = BrowserSession(browser_profile=profile)
    loop(session.start())
    yield session
    loop(session.kill())


class Scripted:
    """Does what the script says, and keeps what it was shown. A text is the label of an element to click."""

    provider = name = "scripted"
    _verified_api_keys = True

    def __init__(self, *turns, model="scripted"):
        self.turns, self.asked, self.model = list(turns), [], model

    @property
    def model_name(self):
        return self.model

    async def ainvoke(self, messages, output_format=None, **options):
        self.asked.append([message.text for message in messages])
        wanted = self.turns.pop(0)
        actions = [self.action(one) for one in (wanted if isinstance(wanted, list) else [wanted])]
        said = {"evaluation_previous_goal": "", "memory": "", "next_goal": "", "action": actions}
        usage = ChatInvokeUsage(
            prompt_tokens=100,
            prompt_cached_tokens=0,
            prompt_cache_creation_tokens=0,
            prompt_image_tokens=0,
            completion_tokens=10,
            total_tokens=110,
        )
        return ChatInvokeCompletion(completion=output_format.model_validate(said), usage=usage)

    def action(self, wanted):
        if not isinstance(wanted, str):
            return wanted
        page = self.asked[-1][1]
        found = re.search(rf"\[(\d+)\]<[^\n]*{wanted}|\[(\d+)\]<[^\n]*\n\s*{wanted}", page)
        assert found, f"no {wanted} on the page: {page}"
        return {"click": {"index": int(found[1] or found[2])}}


def done(text="done"):
    return {"done": {"text": text, "success": True}}


def options(site, page, **more):
    start = [{"navigate": {"url": f"{site}/{page}"}}]
    return {"initial_actions": start, "use_judge": False, "use_vision": False, "enable_signal_handler": False, **more}


def told(model):
    """Which requests had a word of Headway's in their last message."""
    return [number for number, asked in enumerate(model.asked) if asked[-1].startswith("[headway] ")]


def test_a_looping_agent_is_told_in_its_next_request(loop, browser, site):
    model = Scripted("Pay", "Pay", "Pay", done())
    assert "done" == loop(run(model, browser, "go", **options(site, "dead")))
    assert [3] == told(model)
    assert "gave the same result 3 times" in model.asked[3][-1]


def test_a_stubborn_agent_is_refused_and_then_stopped_with_the_reason(loop, browser, site):
    model = Scripted(*["Pay"] * 50)
    app = agent(model, browser, "go", **options(site, "dead"))
    with pytest.raises(InterruptedError, match="Stopped by Headway") as caught:
        loop(app.run(max_steps=50))
    assert isinstance(caught.value, RunStopped) and isinstance(caught.value, headway.RunStopped)
    assert "exact_cycle" == caught.value.decision.reason and caught.value.history is app.history
    answers = [item.result[0].long_term_memory or item.result[0].extracted_content for item in app.history.history]
    assert ["Click", "Click", "Click", "[head", "[head"] == [answer[:5] for answer in answers[1:6]]
    assert 6 == len(model.asked)
    assert "This call was not run" in model.asked[4][1], "the refusal is the result that the model is shown"


def test_the_reason_is_what_the_caller_sees(loop, browser, site):
    said = loop(run(Scripted(*["Pay"] * 50), browser, "go", **options(site, "again")))
    assert said.startswith("Stopped by Headway (exact_cycle): "), "a page that is loaded again is the same page"


def without_chance(asked):
    """Requests without what differs between two runs: the name of a tab, and counts of the browser's own marks."""
    return [
        [re.sub(r"<page_stats>.*|[Tt]ab:? [0-9A-F]{4}\b|\*?\[\d+\](?=<)", "", text) for text in one] for one in asked
    ]


def test_a_healthy_agent_is_left_alone_to_the_byte(loop, browser, site):
    def healthy():
        return Scripted(*["Next"] * 8, done())

    watched, alone = healthy(), healthy()
    with_headway = loop(agent(watched, browser, "go", **options(site, "1")).run(max_steps=20))
    without = loop(Agent(task="go", llm=alone, browser=browser, **options(site, "1")).run(max_steps=20))
    assert without_chance(alone.asked) == without_chance(watched.asked)
    assert "Page 9" in watched.asked[-1][1]
    results = [[one.model_dump(exclude={"metadata"}) for item in run.history for one in item.result]
               for run in (with_headway, without)]  # fmt: skip
    assert results[0] == results[1]


@pytest.mark.parametrize(("page", "action"), [("count", "More"), ("long", {"scroll": {"down": True, "pages": 1.0}})])
def test_a_click_or_scroll_that_changes_the_page_is_progress(loop, browser, site, page, action):
    model = Scripted(*[action] * 8, done())
    assert "done" == loop(run(model, browser, "go", **options(site, page)))
    assert [] == told(model)


def test_going_back_to_a_list_after_each_of_its_items_is_progress(loop, browser, site):
    model = Scripted(*(turn for n in range(10, 16) for turn in (f"Item {n}", {"go_back": {}})), done())
    assert "done" == loop(run(model, browser, "go", **options(site, "list")))
    assert [] == told(model)


def test_what_a_click_on_a_canvas_does_is_in_the_picture(loop, browser, site):
    model = Scripted(*["canvas"] * 6, done())
    assert "done" == loop(run(model, browser, "go", **options(site, "canvas", use_vision=True)))
    assert [] == told(model)


def test_equal_actions_of_one_step_are_no_loop(loop, browser, site):
    model = Scripted(["Pay"] * 4, done())
    assert "done" == loop(run(model, browser, "go", **options(site, "dead")))
    assert [] == told(model)


def test_actions_of_ones_own_are_watched_and_their_tools_left_as_they_are(loop, browser, site):
    tools = Tools()

    @tools.action("Run a command.")
    async def bash(command: str) -> str:
        raise RuntimeError("the disk is full")

    before = vars(tools).copy()
    model = Scripted(*[{"bash": {"command": "make"}}] * 50)
    patient = options(site, "dead", max_failures=20)  # browser-use ends a run after five failures itself
    app = Headway().watch(Agent(task="go", llm=model, browser=browser, tools=tools, **patient))
    with pytest.raises(RunStopped, match="make"):
        loop(app.run(max_steps=50))
    assert before == vars(tools)


@pytest.mark.parametrize("limit", [{"max_tokens": 250}, {"max_cost_usd": 0.00005}])
def test_what_the_model_used_counts_against_the_limits(loop, browser, site, limit):
    """A request is 110 tokens, and 0.000021 dollars at the list price."""
    model = Scripted(*["Next"] * 9, model="gpt-4o-mini")
    app = Headway(**limit).watch(Agent(task="go", llm=model, browser=browser, **options(site, "1")))
    with pytest.raises(RunStopped, match="spend"):
        loop(app.run(max_steps=20))
    assert 2 == len(model.asked)


def test_a_run_that_is_done_as_it_reaches_its_limit_keeps_its_answer(loop, browser, site):
    app = Headway(max_tokens=100).watch(
        Agent(task="go", llm=Scripted(done("all of it")), browser=browser, **options(site, "1"))
    )
    assert "all of it" == loop(app.run(max_steps=5)).final_result()


def test_a_new_task_lets_a_stopped_run_go_on(loop, browser, site):
    model = Scripted(*["Pay"] * 50)
    app = agent(model, browser, "go", **options(site, "dead"))
    with pytest.raises(RunStopped):
        loop(app.run(max_steps=50))
    asked, model.turns = len(model.asked), ["Pay", done()]
    app.add_new_task("go on")
    assert "done" == loop(app.run(max_steps=50)).final_result()
    assert asked + 2 == len(model.asked)


def test_a_budget_holds_for_all_agents_of_a_conversation_in_a_store(loop, browser, site, tmp_path):
    def watched(model):
        watch = Headway(conversation="shop", store=SQLiteStore(tmp_path / "a.db"), max_tokens=250)
        return watch.watch(Agent(task="go", llm=model, browser=browser, **options(site, "1")))

    assert "done" == loop(watched(Scripted("Next", done())).run(max_steps=9)).final_result()
    late = Scripted("Next", done())
    with pytest.raises(RunStopped, match="spend"):
        loop(watched(late).run(max_steps=9))
    assert [] == late.asked
