/* The dashboard. Whatever comes from an agent is set as text, never as markup. */

const by = (id) => document.getElementById(id);
const STATES = ["needs you", "looping", "working", "idle", "done"];
const ROWS = 100;
const LEAST_WAIT = 500, LONGEST_WAIT = 5000;
const TOKEN = "headway-token";

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/* Words */

const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
const large = (count) => (count >= 1e6 - 50 ? `${(count / 1e6).toFixed(1)} M` : count >= 1e3 ? `${(count / 1e3).toFixed(1)} k` : String(count));
const known = (value) => value !== null && value !== undefined;
const money = (session) => (known(session.cost_usd) ? `${session.estimated ? "~" : ""}$${session.cost_usd.toFixed(2)}` : "–");
const tokens = (session) => (session.tokens ? large(session.tokens) : "–");
const clock = (at) => new Date(at * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const className = (state) => state.replace(" ", "-");

function minutes(session) {
  const seconds = Math.max(0, session.seen_at - session.started_at);
  return seconds < 60 ? `${Math.round(seconds)} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

function titleOf(session) {
  const name = session.prompt || `${session.host} session ${session.session.slice(0, 8)}`;
  return session.agent ? `${name} (sub-agent ${session.agent.slice(0, 8)})` : name;
}

const aboutOf = (session) =>
  [session.project, session.host, session.model, plural(session.steps, "step"), session.session.slice(0, 8)].filter(Boolean).join(" · ");

/* The service */

function rememberedToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem(TOKEN, given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(TOKEN) || "";
}

const token = rememberedToken();

async function ask(path, options = {}) {
  const answer = await fetch(path, { ...options, headers: { Authorization: `Bearer ${token}`, ...(options.body ? { "Content-Type": "application/json" } : {}) } });
  if (!answer.ok && answer.headers.get("content-type") !== "application/json") throw new Error(`the service answered ${answer.status}`);
  if (!answer.ok) throw Object.assign(new Error((await answer.json()).error), { status: answer.status });
  return answer;
}

function notice(text) {
  by("notice").textContent = text;
  by("notice").hidden = !text;
}

/* Server-sent events, read with fetch(), because an EventSource sends no token. */
async function listen() {
  let wait = LEAST_WAIT;
  for (;;) {
    try {
      const answer = await ask("/api/events");
      by("connection").textContent = "live";
      notice("");
      wait = LEAST_WAIT;
      await readEvents(answer.body.pipeThrough(new TextDecoderStream()).getReader());
    } catch (error) {
      if (error.status === 401) {
        by("connection").textContent = "not connected";
        notice(token ? "The service's token has changed. Run: headway serve --open" : "This page needs a token. Run: headway serve --open");
        return;
      }
    }
    by("connection").textContent = "reconnecting …";
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(2 * wait, LONGEST_WAIT);
  }
}

async function readEvents(reader) {
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (text + value).split("\n\n");
    text = parts.pop();
    for (const part of parts) {
      const fields = Object.fromEntries(part.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
      if (fields.data) take(fields.event, JSON.parse(fields.data));
    }
  }
}

/* What is known */

const sessions = new Map();
let groups = {}, waiting = false;

export function take(event, data) {
  if (event === "sessions") {
    groups = data.kinds || groups;
    sessions.clear();
    for (const one of data.sessions) sessions.set(one.id, one);
  } else if (event === "change") {
    for (const one of data.changed) sessions.set(one.id, one);
    for (const id of data.gone) sessions.delete(id);
  }
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; draw(); });
}

/* Views: which one is in the address */

const view = () => location.hash.slice(1).split("/");

function draw() {
  const [name = "", id = ""] = view();
  const shown = ["session", "loops", "history"].includes(name) ? name : "sessions";
  for (const one of ["sessions", "session", "loops", "history"]) by(one).hidden = one !== shown;
  for (const link of document.querySelectorAll("nav a"))
    link.dataset.view === shown ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
  if (shown === "sessions") drawList();
  if (shown === "session") drawSession(decodeURIComponent(id));
  if (shown === "loops") drawLoops();
  if (shown === "history") drawHistory();
}

/* The list */

const rows = new Map();
let limit = ROWS;

function chosen() {
  const words = by("words").value.toLowerCase().split(/\s+/).filter(Boolean), state = by("state").value;
  const text = (one) => [titleOf(one), aboutOf(one), one.cwd, one.finding ? one.finding.message : ""].join(" ").toLowerCase();
  return [...sessions.values()]
    .filter((one) => (!state || one.state === state) && (!words.length || words.every((word) => text(one).includes(word))))
    .sort((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state) || b.started_at - a.started_at || (a.id < b.id ? -1 : 1));
}

function drawList() {
  const found = chosen(), listed = found.slice(0, limit), list = by("list");
  document.title = needing() ? `(${needing()}) Headway` : "Headway";
  by("count").textContent = plural(found.length, "session");
  by("nothing").hidden = found.length > 0;
  by("nothing").textContent = sessions.size ? "No session matches." : "No session yet. Connect an agent with: headway install claude-code";
  drawCounts();
  const wanted = new Set(listed.map((one) => one.id));
  for (const [id, row] of rows) if (!wanted.has(id)) { row.element.remove(); rows.delete(id); }
  let place = list.firstElementChild;
  for (const session of listed) {
    const row = rowOf(session);
    if (row.element === place) place = place.nextElementSibling;
    else list.insertBefore(row.element, place);
  }
  by("more").hidden = found.length <= limit;
  by("more").textContent = `Show more sessions (${(found.length - limit).toLocaleString("en")} left)`;
}

const needing = () => [...sessions.values()].filter((one) => one.state === "needs you").length;

function drawCounts() {
  const all = [...sessions.values()], live = all.filter((one) => one.state !== "done");
  const cost = all.reduce((sum, one) => sum + (one.cost_usd || 0), 0), priced = all.filter((one) => known(one.cost_usd)).length;
  const figures = [...STATES.map((state) => [state, String(all.filter((one) => one.state === state).length)]),
    [priced === all.length ? "cost, last 7 days" : `cost, known for ${priced} of ${all.length}`, priced ? `$${cost.toFixed(2)}` : "–"]];
  by("counts").replaceChildren(...figures.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
  by("counts").dataset.live = live.length;
}

/* A row is drawn again only when its session has changed. */
function rowOf(session) {
  let row = rows.get(session.id);
  if (!row) rows.set(session.id, row = { element: make("li"), drawn: null });
  if (row.drawn !== session) {
    row.drawn = session;
    row.element.className = className(session.state);
    const had = row.element.contains(document.activeElement);
    row.element.replaceChildren(rowContent(session));
    if (had) row.element.firstElementChild.focus();
  }
  return row;
}

function rowContent(session) {
  const reason = session.waiting ? `Waits for you: ${session.waiting}` : session.finding ? session.finding.message : "";
  const open = reason && session.state !== "done" ? [make("span", { class: "open" }, reason)] : [];
  return make("a", { href: `#session/${encodeURIComponent(session.id)}` },
    stateMark(session.state), make("span", { class: "title" }, titleOf(session)), cellsOf(session.cells, `Latest ${plural(session.cells.length, "step")}`),
    make("span", { class: "number minutes" }, minutes(session)), make("span", { class: "number tokens" }, tokens(session)),
    make("span", { class: "number cost" }, money(session)), make("span", { class: "about quiet" }, aboutOf(session)), ...open);
}

const stateMark = (state) => make("span", { class: `state ${className(state)}` }, state);

function cellOf(step, actions = new Map()) {
  const action = actions.get(step.number);
  const classes = ["cell", groups[step.kind] || "other", step.outcome === "ok" ? "" : "failed", action ? `act-${action}` : ""];
  return make("span", { class: classes.filter(Boolean).join(" "), "data-step": step.number, title: `Step ${step.number}: ${step.title || step.tool}, ${step.outcome}` });
}

function cellsOf(steps, label) {
  return make("span", { class: "cells", role: "img", "aria-label": label }, ...steps.map((step) => cellOf(step)));
}

/* One session */

const open = { id: "", revision: -1, steps: [], decisions: [], findings: [], trail: [], step: 0, parts: null, chart: null };

function drawSession(id) {
  const session = sessions.get(id), main = by("session");
  if (open.id !== id) {
    Object.assign(open, { id, revision: -1, steps: [], decisions: [], findings: [], trail: [], step: 0, parts: null, chart: null });
    main.replaceChildren();
  }
  if (!session) {
    main.replaceChildren(make("p", { class: "quiet" }, sessions.size ? "This session is not among those of the last 7 days." : "Waiting for the service …"));
    open.parts = null;
    return;
  }
  if (!open.parts) buildSession(main);
  const parts = open.parts;
  document.title = `${titleOf(session)} – Headway`;
  parts.title.textContent = titleOf(session);
  parts.state.replaceChildren(stateMark(session.state));
  const facts = [["project", session.project], ["folder", session.cwd], ["agent", session.host], ["model", session.model || "–"], ["session", session.session],
    ["started", new Date(session.started_at * 1000).toLocaleString()], ["lasts", minutes(session)], ["steps", String(session.steps)],
    ["tokens", tokens(session)], ["cost", money(session)], ["waits for", session.waiting || ""]];
  parts.facts.replaceChildren(...facts.filter(([, value]) => value).map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
  drawActions(session);
  if (open.revision !== session.revision && !open.isLoading) load(session);
}

function buildSession(main) {
  const parts = open.parts = {
    title: make("h2", { tabindex: "-1" }), state: make("p"), facts: make("dl", { class: "facts" }), actions: make("div", { class: "actions" }),
    done: make("p", { class: "done-so", role: "status" }),
    cells: make("div", { class: "cells", role: "listbox", tabindex: "0", "aria-label": "Timeline", "aria-orientation": "horizontal" }),
    step: make("div", { class: "step", "aria-live": "polite" }, make("p", { class: "quiet" }, "Choose a step to see it.")),
    told: make("ul", { class: "told" }), findings: make("ul", { class: "told" }), chart: make("div", { class: "chart" }),
  };
  const legend = [["look", "reads and searches"], ["change", "edits"], ["check", "tests and builds"], ["run", "commands"], ["other", "other"]]
    .map(([group, words]) => make("li", {}, make("span", { class: `cell ${group}` }), words));
  main.replaceChildren(make("p", {}, make("a", { href: "#" }, "← all sessions")), parts.state, parts.title, parts.facts, parts.actions, parts.done,
    make("h2", {}, "Timeline"), parts.cells, make("ul", { class: "legend" }, ...legend, make("li", {}, make("span", { class: "cell other failed" }), "failed or denied")),
    parts.step, make("h2", {}, "What Headway decided, and what the agent was told"), parts.told, make("h2", {}, "Findings"), parts.findings,
    make("h2", {}, "Over time"), parts.chart);
  for (const kind of ["pointerover", "click"])
    parts.cells.addEventListener(kind, (event) => { if (event.target.dataset.step) showStep(Number(event.target.dataset.step)); });
  parts.cells.addEventListener("keydown", (event) => {
    const last = open.steps.length ? open.steps.at(-1).number : 0, first = open.steps.length ? open.steps[0].number : 0;
    const to = { ArrowRight: Math.min(last, open.step + 1), ArrowLeft: Math.max(first, open.step - 1), Home: first, End: last }[event.key];
    if (!to || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    showStep(to);
    const cell = parts.cells.querySelector(".now");
    if (cell) cell.scrollIntoView({ block: "nearest" });
  });
}

/* Only steps that are not there yet are asked for and drawn. */
async function load(session) {
  open.isLoading = true;
  const id = open.id, after = open.steps.length ? open.steps.at(-1).number : 0;
  try {
    const told = await (await ask(`/api/sessions/${encodeURIComponent(id)}?after=${after}`)).json();
    if (open.id !== id || !open.parts) return;
    open.steps.push(...told.timeline);
    Object.assign(open, { revision: told.revision, decisions: told.decisions, findings: told.findings, trail: told.trail || [] });
    drawSteps(told.timeline);
    drawTold();
    drawChart();
  } catch (error) {
    open.revision = session.revision; // the next change asks again
    if (error.status) open.parts && (open.parts.done.textContent = error.message);
  } finally {
    open.isLoading = false;
    const now = sessions.get(open.id);
    if (now && open.revision < now.revision) requestAnimationFrame(draw);
  }
}

function drawSteps(added) {
  const actions = new Map([...open.decisions].reverse().map((one) => [one.step, one.action]));
  const { cells } = open.parts;
  const atEnd = cells.scrollTop + cells.clientHeight >= cells.scrollHeight - 4;
  cells.append(...added.map((step) => cellOf(step, actions)));
  for (const [step, action] of actions) {
    const cell = cells.children[step - (open.steps.length ? open.steps[0].number : 1)];
    if (cell) cell.classList.add(`act-${action}`);
  }
  if (atEnd) cells.scrollTop = cells.scrollHeight;
  cells.setAttribute("aria-label", `Timeline, ${plural(open.steps.length, "step")}`);
}

function showStep(number) {
  const first = open.steps.length ? open.steps[0].number : 1, step = open.steps[number - first], cell = open.parts.cells.children[number - first];
  if (!step || !cell) return;
  open.step = number;
  for (const one of open.parts.cells.querySelectorAll(".now")) one.classList.remove("now");
  cell.classList.add("now");
  const head = [`Step ${number}`, known(step.at) ? clock(step.at) : "", step.tool, step.outcome].filter(Boolean).join(" · ");
  const told = open.decisions.filter((one) => one.step === number).map((one) => make("p", {}, `Headway: ${one.action} (${one.reason})`));
  open.parts.step.replaceChildren(make("p", {}, make("strong", {}, head)), make("p", {}, make("code", {}, step.title || "")), ...told);
}

function drawTold() {
  const { told, findings } = open.parts;
  const none = (words) => [make("li", { class: "quiet" }, words)];
  const decided = open.decisions.map((one) => make("li", {}, make("span", { class: `mark ${one.action}` }, one.would ? `would ${one.action}` : one.action),
    ` at step ${one.step}, ${clock(one.at)}, ${one.reason}${one.would ? ": prevented by the mode" : ""}`, make("blockquote", {}, one.message)));
  told.replaceChildren(...(decided.length ? decided : none("Nothing so far.")));
  const found = open.findings.map((one) => make("li", {}, make("strong", {}, one.detector), ` ${one.severity}, steps ${one.first_step} to ${one.last_step}, seen ${plural(one.occurrences, "time")}: `, one.message));
  findings.replaceChildren(...(found.length ? found : none("Nothing was found.")));
}

/* Steps, failures and cost over time. The trail of the cost begins when the service first saw the session. */
function drawChart() {
  const { chart } = open.parts, timed = open.steps.filter((step) => known(step.at));
  if (timed.length < 2 || !window.uPlot) { chart.replaceChildren(make("p", { class: "quiet" }, "Too few steps for a chart.")); open.chart = null; return; }
  let failed = 0;
  const points = timed.map((step, place) => [step.at, place + 1, failed += step.outcome === "ok" ? 0 : 1, null]);
  for (const [at, cost] of open.trail) if (known(cost)) points.push([at, null, null, cost]);
  points.sort((a, b) => a[0] - b[0]);
  const data = [0, 1, 2, 3].map((column) => points.map((point) => point[column]));
  if (open.chart) return open.chart.setData(data);
  const style = getComputedStyle(document.documentElement), colour = (name) => style.getPropertyValue(name).trim();
  const line = (label, stroke, scale) => ({ label, stroke, scale, spanGaps: true, width: 1.5, points: { show: false } });
  const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--rule"), width: 1 }, ticks: { stroke: colour("--rule"), width: 1 } };
  const hasCost = data[3].some(known);
  const series = [{}, line("steps", colour("--line"), "steps"), line("failed", colour("--stop"), "steps"), ...(hasCost ? [line("cost, $", colour("--good"), "cost")] : [])];
  const axes = [axis, { ...axis, scale: "steps" }, ...(hasCost ? [{ ...axis, scale: "cost", side: 1, grid: { show: false } }] : [])];
  chart.replaceChildren();
  open.chart = new uPlot({ width: chart.clientWidth || 600, height: 180, series, axes, cursor: { drag: { x: false, y: false } } }, hasCost ? data : data.slice(0, 3), chart);
}

addEventListener("resize", () => { if (open.chart && open.parts.chart.clientWidth) open.chart.setSize({ width: open.parts.chart.clientWidth, height: 180 }); });

/* A person's answers */

function drawActions(session) {
  const { actions } = open.parts, detector = session.finding ? session.finding.detector : "";
  const key = [session.id, detector, session.state === "done"].join("\n");
  if (actions.dataset.key === key) return;
  actions.dataset.key = key;
  const buttons = [button("Allow this repeat", () => answer("allow", {}))];
  if (detector) {
    buttons.push(button(`Mute ${detector} for a day`, () => answer("mute", { detector, for: "day" })));
    buttons.push(sure(`Mute ${detector} for good`, () => answer("mute", { detector, for: "good" })));
  }
  if (session.state !== "done") buttons.push(sure("Stop this agent", () => answer("stop", {})));
  actions.replaceChildren(...buttons);
}

function button(words, act) {
  const element = make("button", { type: "button" }, words);
  element.addEventListener("click", act);
  return element;
}

/* What cannot be undone with one click takes two. */
function sure(words, act) {
  const element = button(words, () => {
    if (element.classList.contains("sure")) { element.classList.remove("sure"); element.textContent = words; return act(); }
    element.classList.add("sure");
    element.textContent = `${words}: click again to confirm`;
    setTimeout(() => { element.classList.remove("sure"); element.textContent = words; }, 5000);
    return undefined;
  });
  return element;
}

async function answer(order, given) {
  const { done } = open.parts;
  done.textContent = "…";
  try {
    const told = await (await ask(`/api/sessions/${encodeURIComponent(open.id)}/${order}`, { method: "POST", body: JSON.stringify(given) })).json();
    done.textContent = told.done;
  } catch (error) {
    done.textContent = `Not done: ${error.message}`;
  }
}

/* Loops and history are asked for when they are opened. */

const asked = { loops: 0, history: 0 };
const FRESH = { loops: 3000, history: 300000 };

async function fetched(name, path, show) {
  if (Date.now() - asked[name] < FRESH[name]) return;
  asked[name] = Date.now();
  if (!by(name).childElementCount) by(name).replaceChildren(make("p", { class: "quiet" }, name === "history" ? "Reading the recordings of the last 28 days …" : "Looking for loops …"));
  try {
    by(name).replaceChildren(...show(await (await ask(path)).json()));
  } catch (error) {
    by(name).replaceChildren(make("p", { class: "quiet" }, `Could not be read: ${error.message}`));
  }
}

const table = (head, body) => make("div", { class: "wide" }, make("table", { class: "amounts" },
  make("thead", {}, make("tr", {}, ...head.map((name) => make("th", { scope: "col" }, name)))),
  make("tbody", {}, ...body.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell)))))));

function drawHistory() {
  document.title = "History – Headway";
  fetched("history", "/api/history", (told) => {
    if (!told.runs) return [make("p", { class: "quiet" }, "No recordings of the last 28 days were found on this machine.")];
    const parts = [make("h2", {}, `${plural(told.runs, "run")} in the recordings of the last 28 days`), make("p", {}, told.sentence), make("div", { class: "chart", id: "weeks" })];
    const tables = told.tables.map(({ by: name, head, rows: body }) => make("figure", {}, make("h3", {}, `By ${name}`), table(head, body)));
    requestAnimationFrame(() => drawWeeks(told.weeks));
    return [...parts, make("div", { class: "tables" }, ...tables)];
  });
}

function drawWeeks(weeks) {
  const place = by("weeks");
  if (!place || weeks.length < 2 || !window.uPlot) { if (place) place.remove(); return; }
  const style = getComputedStyle(document.documentElement), colour = (name) => style.getPropertyValue(name).trim();
  const priced = weeks.some((week) => week.cost);
  const bars = (label, fill) => ({ label, fill, stroke: fill, width: 0, paths: uPlot.paths.bars({ size: [0.6, 60] }), points: { show: false } });
  const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--rule"), width: 1 }, ticks: { show: false } };
  const names = weeks.map((week) => week.week), unit = priced ? "cost, $" : "steps";
  const series = [{ label: "week", value: (_, at) => names[at] || "" }, bars(unit, colour("--other")), bars(`${unit} after the stop`, colour("--stop"))];
  const axes = [{ ...axis, values: (_, at) => at.map((one) => names[one] || ""), splits: () => names.map((_, one) => one) }, axis];
  const data = [names.map((_, at) => at), weeks.map((week) => (priced ? week.cost : week.steps)), weeks.map((week) => (priced ? week.cost_after : week.steps_after))];
  new uPlot({ width: place.clientWidth, height: 190, series, axes, scales: { x: { time: false, range: [-0.5, names.length - 0.5] } }, cursor: { drag: { x: false, y: false } } }, data, place);
}

function drawLoops() {
  document.title = "Loops – Headway";
  fetched("loops", "/api/loops", (told) => {
    if (!told.loops.length) return [make("p", { class: "quiet" }, "No loop was found in the projects of these sessions. Start one with: headway loop")];
    return told.loops.flatMap((loop) => [make("h2", {}, `${loop.project}: ${loop.task || loop.loop}`), make("p", { class: "quiet" }, [loop.loop, loop.ending || "no end is recorded yet", loop.cost].filter(Boolean).join(" · ")),
      table(["round", "quality", "tests", "decision", "kept", "why"], loop.rounds)]);
  });
}

/* What the reader does */

for (const state of STATES) by("state").append(make("option", { value: state }, state));
by("filters").addEventListener("input", drawList);
by("filters").addEventListener("submit", (event) => event.preventDefault());
by("more").addEventListener("click", () => { limit += ROWS; drawList(); });
addEventListener("hashchange", () => { draw(); if (!by("session").hidden && open.parts) open.parts.title.focus(); scrollTo(0, 0); });
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    if (event.target.matches("input, select")) event.target.blur();
    else if (view()[0]) location.hash = "";
    return;
  }
  if (event.target.matches("input, select")) return;
  if (event.key === "/") { event.preventDefault(); if (view()[0]) location.hash = ""; draw(); by("words").focus(); }
  if ((event.key === "j" || event.key === "k") && !by("sessions").hidden) {
    const links = [...by("list").querySelectorAll("a")], here = links.indexOf(document.activeElement);
    const next = links[here < 0 ? 0 : here + (event.key === "j" ? 1 : -1)];
    if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); }
  }
});
setInterval(() => { if (["loops", "history"].includes(view()[0])) draw(); }, 3000);
draw();
listen();
