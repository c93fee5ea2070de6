"use strict";
/* Draws the runs of the page. Whatever comes from a recording is set as text, never as markup. */
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const list = by("runs"), more = by("more"), form = by("filters");
  const AT_ONCE = 20, CELLS_AT_ONCE = 4000, IN_LIST = 3;
  const ORDERS = {
    "worst first": null,
    "newest first": (a, b) => b.ended - a.ended,
    "longest first": (a, b) => b.steps - a.steps,
    "most after a stop": (a, b) => b.after - a.after,
  };
  const MARKS = { failed: "failed", found: "a finding", turn: "the user sent a message before it", after: "after a stop", ending: "Headway would have stopped it here" };
  const FILTERS = ["words", "verdict", "agent", "model", "project", "pattern", "order"];
  const ENDING = /^(stop|rollback|escalate)$/;
  let chosen = [], shown = 0, open = null;

  function make(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  /* Filters */

  function fill(id, names, all) {
    const options = names.map((name) => make("option", { value: name }, name));
    by(id).append(...(all ? [make("option", { value: "" }, all)] : []), ...options);
  }

  const different = (values) => [...new Set(values)].sort();

  function choose() {
    const [verdict, agent, model, project, pattern] = ["verdict", "agent", "model", "project", "pattern"].map((id) => by(id).value);
    const words = by("words").value.toLowerCase().split(/\s+/).filter(Boolean);
    chosen = data.runs.filter((run) =>
      (!verdict || run.verdict === verdict) && (!agent || run.agent === agent) &&
      (!model || run.model === model) && (!project || run.project === project) &&
      (!pattern || run.findings.some(([detector]) => detector === pattern)) &&
      words.every((word) => run.text.includes(word)));
    const order = ORDERS[by("order").value];
    if (order) chosen.sort(order);
    for (const button of document.querySelectorAll("[data-filter]"))
      button.setAttribute("aria-pressed", String(by(button.dataset.filter).value === button.dataset.value));
    by("count").textContent = chosen.length === 1 ? "1 run" : `${chosen.length.toLocaleString("en")} runs`;
    list.replaceChildren();
    shown = 0;
    if (open) showOne(); else showMore();
  }

  function filterBy(id, value) {
    by(id).value = by(id).value === value ? "" : value;
    open = null;
    choose();
    remember();
  }

  /* The address: filters, the open run and its step, so that a link leads back to what is seen. */

  function address() {
    const parts = new URLSearchParams();
    for (const id of FILTERS) {
      const value = by(id).value;
      if (value && value !== Object.keys(ORDERS)[0]) parts.set(id, value);
    }
    if (open) parts.set("run", open.id);
    if (open && list.firstChild && list.firstChild.step) parts.set("step", list.firstChild.step);
    return `#${parts}`;
  }

  function remember(opened = false) {
    if (address() === (location.hash || "#")) return;
    history[opened ? "pushState" : "replaceState"](null, "", address());
  }

  function fromAddress() {
    const parts = new URLSearchParams(location.hash.slice(1));
    for (const id of FILTERS) {
      by(id).value = parts.get(id) || "";
      if (by(id).selectedIndex === -1) by(id).selectedIndex = 0;
    }
    open = data.runs.find((run) => run.id === parts.get("run")) || null;
    choose();
    const step = Number(parts.get("step"));
    if (open && step) focusStep(list.firstChild, step);
  }

  function openRun(run) {
    open = run;
    choose();
    remember(true);
    by("back").focus();
    scrollTo(0, 0);
  }

  function closeRun() {
    const run = open;
    open = null;
    choose();
    remember(true);
    while (!more.hidden && chosen.indexOf(run) >= shown) showMore();
    const element = [...list.children].find((card) => card.run === run);
    if (element) { complete(element); element.scrollIntoView({ block: "nearest" }); (element.querySelector(".cells") || element).focus(); }
  }

  function showOne() {
    const element = card(open);
    list.append(element);
    complete(element);
    more.hidden = true;
    element.querySelector("h3").after(...details(open));
    if (open.decisions.length) element.append(said(open, element));
    document.body.classList.add("one");
    document.title = `${open.title} – Headway scan`;
  }

  function showMore() {
    document.body.classList.remove("one");
    document.title = "Headway scan";
    const next = chosen.slice(shown, shown + AT_ONCE);
    const cards = next.map(card);
    list.append(...cards);
    /* Whole cards keep their height: what stands below them does not move away from a click. */
    let room = CELLS_AT_ONCE;
    for (const element of cards) {
      room -= cellsOf(element.run);
      if (room >= 0) complete(element);
      else nearby.observe(element);
    }
    shown += next.length;
    more.hidden = shown >= chosen.length;
    more.textContent = `Show more runs (${(chosen.length - shown).toLocaleString("en")} left)`;
    return cards[0];
  }

  /* One run */

  function card(run) {
    const link = make("a", { href: `#run=${encodeURIComponent(run.id)}` }, run.title);
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      openRun(run);
    });
    const title = make("h3", {}, make("span", { class: `mark ${run.verdict}` }, run.verdict), link);
    const element = make("li", { class: run.verdict, tabindex: "-1", "data-run": run.id }, title, make("p", { class: "quiet about" }, run.about));
    if (run.why) element.append(make("p", { class: "reason" }, `${run.verdict} ${run.why}`));
    element.run = run;
    return element;
  }

  function details(run) {
    const facts = run.facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)));
    const asked = run.prompt !== run.title && run.prompt ? [make("blockquote", {}, run.prompt)] : [];
    return [...asked, make("dl", { class: "facts" }, ...facts)];
  }

  /* A stopped agent does nothing until the user speaks: later decisions would not have come. */
  function untilStopped(run) {
    const turns = run.timeline ? run.timeline.turns : [];
    let stopped = Infinity;
    return run.decisions.filter(([step, action]) => {
      if (turns.some((turn) => stopped < turn && turn <= step)) stopped = Infinity;
      const comes = step <= stopped;
      if (ENDING.test(action)) stopped = Math.min(stopped, step);
      return comes;
    });
  }

  /* What Headway would have told the agent, and when. */
  function said(run, element) {
    const rows = run.decisions.map(([step, action, reason, message]) => {
      const jump = make("button", { type: "button" }, `step ${step}`);
      jump.addEventListener("click", () => focusStep(element, step));
      return make("li", {}, make("span", { class: `mark ${action}` }, action), jump, make("strong", {}, reason),
        make("span", { class: "told" }, message));
    });
    return make("section", {}, make("h4", {}, "What Headway would have told the agent"), make("ul", {}, ...rows));
  }

  const cellsOf = (run) => (run.timeline ? run.timeline.kinds.length : 0);

  const nearby = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) complete(entry.target);
  }, { rootMargin: "600px" });

  function complete(element) {
    nearby.unobserve(element);
    if (element.complete) return;
    element.complete = true;
    const run = element.run;
    const drawn = cellsOf(run);
    if (drawn) element.append(timeline(run), make("div", { class: "step", hidden: "" }));
    else if (run.steps) element.append(make("p", { class: "quiet" }, "Too many timelines for one page: this one was left out."));
    if (drawn && run.steps > drawn)
      element.append(make("p", { class: "quiet" }, `The first ${drawn.toLocaleString("en")} of ${run.steps.toLocaleString("en")} steps are drawn.`));
    if (run.findings.length) element.append(findings(run, element, drawn));
  }

  const range = (first, last) => (first === last ? `step ${first}` : `steps ${first}–${last}`);

  function findings(run, element, drawn) {
    const few = open ? run.findings : [...run.findings].sort((a, b) => data.severities.indexOf(b[1]) - data.severities.indexOf(a[1])).slice(0, IN_LIST);
    const left = run.findings.length - few.length + run.more;
    const rows = few.map(([detector, severity, message, first, last]) => {
      const where = range(first, last);
      const jump = first <= drawn ? make("button", { type: "button" }, where) : make("span", {}, where);
      if (first <= drawn) jump.addEventListener("click", () => focusStep(element, first));
      return make("li", {}, make("span", { class: `mark ${severity}` }, severity), jump,
        make("strong", {}, detector), make("span", { class: "told" }, message));
    });
    if (left) rows.push(make("li", { class: "more quiet" }, left === 1 ? "and 1 more finding" : `and ${left.toLocaleString("en")} more findings`));
    return make("ul", { "aria-label": "Findings" }, ...rows);
  }

  /* Its timeline */

  function timeline(run) {
    const { kinds, failed, turns } = run.timeline;
    const bad = new Set(failed), asked = new Set(turns), found = new Set(run.findings.map((finding) => finding[3]));
    const ending = new Map(run.decisions.filter(([, action]) => ENDING.test(action)).map(([step, action]) => [step, action]));
    const cells = make("div", {
      class: "cells", role: "listbox", tabindex: "0", "aria-orientation": "horizontal",
      "aria-label": `Timeline of ${run.run}, ${run.steps} steps`,
    });
    const drawn = document.createDocumentFragment(), number = data.runs.indexOf(run);
    let over = false;
    for (let step = 1; step <= kinds.length; step++) {
      over = over && !asked.has(step);
      const kind = kinds.charCodeAt(step - 1) - 97;
      const cell = make("span", { role: "option", "aria-selected": "false", id: `step-${number}-${step}` });
      const marks = { failed: bad.has(step), found: found.has(step), turn: asked.has(step), after: over, ending: !over && ending.has(step) };
      const marked = Object.keys(marks).filter((mark) => marks[mark]);
      cell.className = ["cell", data.kinds[kind], ...marked, marks.ending ? `by-${ending.get(step)}` : ""].join(" ").trim();
      cell.setAttribute("aria-label", [`Step ${step}`, data.names[kind], ...marked.map((mark) => MARKS[mark])].join(", "));
      drawn.append(cell);
      over = over || ending.has(step);
    }
    cells.append(drawn);
    return cells;
  }

  function describe(run, step) {
    const { kinds, failed, words } = run.timeline;
    const worded = words.find(([number]) => number === step);
    const kind = data.names[kinds.charCodeAt(step - 1) - 97];
    const time = worded && worded[1] !== null ? timeOf(worded[1]) : "";
    const head = [`Step ${step} of ${run.steps}`, time, kind, failed.includes(step) ? "failed" : ""].filter(Boolean).join(" · ");
    const told = run.findings.filter(([, , , first, last]) => first <= step && step <= last)
      .map(([detector, severity, message, first, last]) => `${severity} ${detector}, ${range(first, last)}: ${message}`);
    const acted = run.decisions.filter(([at]) => at === step).map(([, action, reason]) => `Headway: ${action} (${reason})`);
    const whole = run.outputs && run.outputs[step];
    return { head, call: worded ? worded[2] : "", outcome: worded ? worded[3] : "", whole, why: [...told, ...acted] };
  }

  function outputTitle([text, length]) {
    const size = `${length.toLocaleString("en")} characters`;
    return [...text].length < length ? `Output: beginning and end of ${size}` : `Output: ${size}`;
  }

  function timeOf(seconds) {
    const time = new Date(seconds * 1000);
    return seconds < 1e8 || isNaN(time) ? "" : `${time.toISOString().slice(11, 19)} UTC`;
  }

  function show(element, step) {
    const cells = element.querySelector(".cells"), panel = element.querySelector(".step");
    const cell = cells && cells.children[step - 1];
    if (!cell) return;
    const before = cells.querySelector(".now");
    if (before) { before.classList.remove("now"); before.setAttribute("aria-selected", "false"); }
    const { head, call, outcome, whole, why } = describe(element.run, step);
    cell.classList.add("now");
    cell.setAttribute("aria-selected", "true");
    cell.setAttribute("aria-label", [head, call, outcome, ...why].filter(Boolean).join(". "));
    cells.setAttribute("aria-activedescendant", cell.id);
    element.step = step;
    if (open) remember();
    panel.hidden = false;
    panel.replaceChildren(make("p", {}, make("strong", {}, head)),
      ...(call ? [make("p", {}, make("code", {}, call))] : []),
      ...(outcome ? [make("p", {}, make("samp", {}, outcome))] : []),
      ...(whole ? [make("details", {}, make("summary", {}, outputTitle(whole)), make("pre", {}, whole[0]))] : []),
      ...why.map((line) => make("p", { class: "why" }, line)));
  }

  function focusStep(element, step) {
    const cells = element.querySelector(".cells");
    if (!cells) return;
    cells.focus();
    goTo(element, step);
  }

  function goTo(element, step) {
    show(element, step);
    element.querySelector(".now").scrollIntoView({ block: "nearest" });
    element.querySelector(".step").scrollIntoView({ block: "nearest" });
  }

  /* The step above or below in a timeline of several rows. */
  function inNextRow(element, step, way) {
    const cells = element.querySelectorAll(".cell"), from = cells[step - 1];
    let place = step - 1, row = from.offsetTop;
    while (cells[place] && cells[place].offsetTop === row) place += way;
    if (!cells[place]) return undefined;
    row = cells[place].offsetTop;
    const aside = (at) => Math.abs(cells[at].offsetLeft - from.offsetLeft);
    while (cells[place + way] && cells[place + way].offsetTop === row && aside(place + way) <= aside(place)) place += way;
    return place + 1;
  }

  function nextTrouble(element, step, way) {
    const cells = element.querySelectorAll(".cell");
    for (let place = step + way; place >= 1 && place <= cells.length; place += way)
      if (/failed|found|ending/.test(cells[place - 1].className)) return place;
    return step;
  }

  /* What the reader does */

  const runOf = (target) => target.closest(".runs > li");
  const numberOf = (cell) => Number(cell.id.split("-")[2]);
  for (const kind of ["pointerover", "click"])
    list.addEventListener(kind, (event) => {
      const cell = event.target.closest(".cells .cell");
      if (cell) show(runOf(cell), numberOf(cell));
    });
  list.addEventListener("focusin", (event) => {
    if (event.target.matches(".cells")) { const element = runOf(event.target); show(element, element.step || 1); }
  });
  list.addEventListener("keydown", (event) => {
    if (!event.target.matches(".cells") || event.ctrlKey || event.metaKey || event.altKey) return;
    const element = runOf(event.target), step = element.step || 1, last = element.querySelectorAll(".cell").length;
    const to = {
      ArrowRight: Math.min(last, step + 1), ArrowLeft: Math.max(1, step - 1), Home: 1, End: last,
      ArrowDown: inNextRow(element, step, 1), ArrowUp: inNextRow(element, step, -1),
      PageDown: nextTrouble(element, step, 1), PageUp: nextTrouble(element, step, -1),
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    goTo(element, to);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && open) return closeRun();
    if (event.key === "Enter" && !open && event.target.matches(".cells, .runs > li")) {
      event.preventDefault();
      return openRun(runOf(event.target).run);
    }
    if (event.target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") { event.preventDefault(); by("words").focus(); }
    if (event.key === "j" || event.key === "k") moveTo(event.key === "j" ? 1 : -1);
  });

  function moveTo(way) {
    if (open) {
      const next = chosen[chosen.indexOf(open) + way];
      if (next) openRun(next);
      return;
    }
    const cards = [...list.children], here = cards.indexOf(runOf(document.activeElement));
    let next = cards[here < 0 ? 0 : here + way];
    if (!next && way > 0 && !more.hidden) next = showMore();
    if (!next) return;
    complete(next);
    next.scrollIntoView({ block: "nearest" });
    (next.querySelector(".cells") || next).focus();
  }

  let waiting = 0;
  function chooseAgain() { open = null; choose(); remember(); }
  by("words").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(chooseAgain, 120); });
  form.addEventListener("change", (event) => { if (event.target !== by("words")) chooseAgain(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(chooseAgain));
  by("back").addEventListener("click", closeRun);
  addEventListener("popstate", fromAddress);
  addEventListener("hashchange", fromAddress);
  more.addEventListener("click", () => { const first = showMore(); complete(first); (first.querySelector(".cells") || first).focus(); });
  addEventListener("beforeprint", () => { for (const element of list.children) complete(element); });
  for (const button of document.querySelectorAll("[data-filter]"))
    button.addEventListener("click", () => {
      filterBy(button.dataset.filter, button.dataset.value);
      form.scrollIntoView({ block: "start" });
    });

  const taken = new Map();
  for (const run of data.runs) {
    run.decisions = untilStopped(run);
    const times = (taken.get(run.run) || 0) + 1;
    taken.set(run.run, times);
    run.id = times > 1 ? `${run.run}~${times}` : run.run;
    run.text = [run.run, run.title, run.prompt, run.source, run.about, run.why, ...run.findings.map(([detector, , message]) => `${detector} ${message}`)]
      .join(" ").toLowerCase();
  }
  fill("verdict", different(data.runs.map((run) => run.verdict)), "all");
  fill("agent", different(data.runs.map((run) => run.agent)), "all");
  fill("model", different(data.runs.map((run) => run.model)), "all");
  fill("project", different(data.runs.map((run) => run.project).filter(Boolean)), "all");
  fill("pattern", different(data.runs.flatMap((run) => run.findings.map(([detector]) => detector))), "all");
  fill("order", Object.keys(ORDERS));
  for (const id of ["agent", "model", "project"]) by(id).parentElement.hidden = by(id).length < 3;
  fromAddress();
})();
