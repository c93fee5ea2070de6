"use strict";
/* Draws the runs of the page. Whatever comes from a recording is set as text, never as markup. */
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const list = by("runs"), more = by("more"), form = by("filters");
  const AT_ONCE = 50;
  const ORDERS = {
    "worst first": null,
    "newest first": (a, b) => b.ended - a.ended,
    "longest first": (a, b) => b.steps - a.steps,
    "most after a stop": (a, b) => b.after - a.after,
  };
  const MARKS = { failed: "failed", found: "a finding", turn: "the user spoke before it", after: "after a stop", ending: "Headway would have stopped here" };
  let chosen = [], shown = 0;

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
    const [verdict, agent, pattern] = ["verdict", "agent", "pattern"].map((id) => by(id).value);
    const words = by("words").value.toLowerCase().split(/\s+/).filter(Boolean);
    chosen = data.runs.filter((run) =>
      (!verdict || run.verdict === verdict) && (!agent || run.agent === agent) &&
      (!pattern || run.findings.some(([detector]) => detector === pattern)) &&
      words.every((word) => run.text.includes(word)));
    const order = ORDERS[by("order").value];
    if (order) chosen.sort(order);
    for (const button of document.querySelectorAll("[data-pattern]"))
      button.setAttribute("aria-pressed", String(button.dataset.pattern === pattern));
    by("count").textContent = chosen.length === 1 ? "1 run" : `${chosen.length.toLocaleString("en")} runs`;
    list.replaceChildren();
    shown = 0;
    showMore();
  }

  function showMore() {
    const next = chosen.slice(shown, shown + AT_ONCE);
    const cards = next.map(card);
    list.append(...cards);
    cards.forEach((element) => nearby.observe(element));
    shown += next.length;
    more.hidden = shown >= chosen.length;
    more.textContent = `Show more runs (${(chosen.length - shown).toLocaleString("en")} left)`;
    return cards[0];
  }

  /* One run */

  function card(run) {
    const title = make("h3", {}, make("span", { class: `mark ${run.verdict}` }, run.verdict), run.run);
    const element = make("li", { class: run.verdict, tabindex: "-1" }, title, make("p", { class: "quiet" }, `${run.about}, ${run.source}`));
    if (run.why) element.append(make("p", {}, `${run.verdict} ${run.why}`));
    element.run = run;
    return element;
  }

  const nearby = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) complete(entry.target);
  }, { rootMargin: "600px" });

  function complete(element) {
    nearby.unobserve(element);
    if (element.complete) return;
    element.complete = true;
    const run = element.run;
    const drawn = run.timeline ? run.timeline.kinds.length : 0;
    if (drawn) element.append(timeline(run), make("div", { class: "step", hidden: "" }));
    else if (run.steps) element.append(make("p", { class: "quiet" }, "Too many timelines for one page: this one was left out."));
    if (drawn && run.steps > drawn)
      element.append(make("p", { class: "quiet" }, `The first ${drawn.toLocaleString("en")} of ${run.steps.toLocaleString("en")} steps are drawn.`));
    if (run.findings.length) element.append(findings(run, element, drawn));
  }

  function findings(run, element, drawn) {
    const rows = run.findings.map(([detector, severity, message, first, last, times]) => {
      const where = first === last ? `step ${first}` : `steps ${first}–${last}`;
      const jump = first <= drawn ? make("button", { type: "button" }, where) : make("span", {}, where);
      if (first <= drawn) jump.addEventListener("click", () => focusStep(element, first));
      const often = times > 1 ? ` (seen ${times} times)` : "";
      return make("li", {}, make("span", { class: `mark ${severity}` }, severity), jump,
        make("strong", {}, detector), make("span", { class: "told" }, message + often));
    });
    if (run.more) rows.push(make("li", { class: "more" }, `and ${run.more} findings more`));
    return make("ul", { "aria-label": "Findings" }, ...rows);
  }

  /* Its timeline */

  function timeline(run) {
    const { kinds, failed, turns } = run.timeline;
    const bad = new Set(failed), asked = new Set(turns), found = new Set(run.findings.map((finding) => finding[3]));
    const ending = new Set(run.decisions.filter(([, action]) => /^(stop|rollback|escalate)$/.test(action)).map(([step]) => step));
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
      cell.className = ["cell", data.kinds[kind], ...marked].join(" ");
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
      .map(([detector, severity, message]) => `${severity} ${detector}: ${message}`);
    const acted = run.decisions.filter(([at]) => at === step).map(([, action, reason]) => `Headway: ${action} (${reason})`);
    return { head, call: worded ? worded[2] : "", outcome: worded ? worded[3] : "", why: [...told, ...acted] };
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
    const { head, call, outcome, why } = describe(element.run, step);
    cell.classList.add("now");
    cell.setAttribute("aria-selected", "true");
    cell.setAttribute("aria-label", [head, call, outcome, ...why].filter(Boolean).join(". "));
    cells.setAttribute("aria-activedescendant", cell.id);
    element.step = step;
    panel.hidden = false;
    panel.replaceChildren(make("p", {}, make("strong", {}, head)),
      ...(call ? [make("p", {}, make("code", {}, call))] : []),
      ...(outcome ? [make("p", {}, make("samp", {}, outcome))] : []),
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
    if (event.target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") { event.preventDefault(); by("words").focus(); }
    if (event.key === "j" || event.key === "k") moveTo(event.key === "j" ? 1 : -1);
  });

  function moveTo(way) {
    const cards = [...list.children], here = cards.indexOf(runOf(document.activeElement));
    let next = cards[here < 0 ? 0 : here + way];
    if (!next && way > 0 && !more.hidden) next = showMore();
    if (!next) return;
    complete(next);
    next.scrollIntoView({ block: "nearest" });
    (next.querySelector(".cells") || next).focus();
  }

  let waiting = 0;
  by("words").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(choose, 120); });
  form.addEventListener("change", choose);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(choose));
  more.addEventListener("click", () => { const first = showMore(); complete(first); (first.querySelector(".cells") || first).focus(); });
  addEventListener("beforeprint", () => { for (const element of list.children) complete(element); });
  for (const button of document.querySelectorAll("[data-pattern]"))
    button.addEventListener("click", () => {
      by("pattern").value = by("pattern").value === button.dataset.pattern ? "" : button.dataset.pattern;
      choose();
    });

  for (const run of data.runs)
    run.text = [run.run, run.source, run.about, run.why, ...run.findings.map(([detector, , message]) => `${detector} ${message}`)]
      .join(" ").toLowerCase();
  fill("verdict", different(data.runs.map((run) => run.verdict)), "all");
  fill("agent", different(data.runs.map((run) => run.agent)), "all");
  fill("pattern", different(data.runs.flatMap((run) => run.findings.map(([detector]) => detector))), "all");
  fill("order", Object.keys(ORDERS));
  choose();
})();
