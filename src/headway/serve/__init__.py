"""`headway serve`: one process that answers hooks, shows all sessions, and receives OpenTelemetry.

    run.py          start and end: one service for each state folder
    judge.py        the thread that processes hook events, with sessions in memory
    hook_socket.py  the unix socket, for `hosts/hook/client.py`
    board.py        the thread that reads the database for the dashboard
    app.py          the addresses below
    otlp.py         requests of OpenTelemetry exporters
    telemetry.py    sessions reported by them; codex_logs.py: the log records of Codex
    upstream.py     findings, sent to another OTLP endpoint
    metrics.py      the figures of /metrics
    orders.py       allow, mute and stop
    token.py        the token
    guards.py       who may send requests, how large and how often
    spending.py     tokens and cost of live sessions, from their recordings
    history.py      the recordings of the last weeks, added up
    loops.py        the rounds of loops
    page/           the dashboard: static files, served as they are

The state is in the database that hook processes use too (`store/`), so both can be mixed, and each can be killed
at any moment.

The addresses. All but `/`, `/page/…` and `/healthz` need the token, in a header: `Authorization: Bearer TOKEN`. The
dashboard is opened as `http://127.0.0.1:PORT/#token=TOKEN`; the part after `#` is never sent to a server. A request
with a foreign `Host` or `Origin` is refused. Errors are `{"error": "one line"}` with a status of 4xx.

    GET  /                              the dashboard (page/index.html), with a strict Content-Security-Policy
    GET  /page/NAME                     its files
    GET  /healthz                       "ok"
    GET  /api/sessions                  {"version": 1, "now": SECONDS, "sessions": [SESSION, …]}, latest first
    GET  /api/sessions/ID?after=N       SESSION and "timeline" (steps with a number above N), "findings", "decisions"
    GET  /api/events                    server-sent events, to be read with fetch(): EventSource sends no token
            event: sessions             data: as /api/sessions; the first thing that is sent, also after a reconnect
            event: change               data: {"changed": [SESSION, …], "gone": [ID, …]}
            : a comment every 15 seconds, to keep the connection
    GET  /api/loops                     the loops in the projects of these sessions
    GET  /api/history                   the recordings of the last four weeks: "runs", "sentence", "tables", "weeks"
    POST /api/sessions/ID/allow         let the session run what was refused: {"done": "one sentence"}
    POST /api/sessions/ID/mute          {"detector": "exact_cycle", "for": "day" or "good"}
    POST /api/sessions/ID/stop          end the run at its next call, until the user's next message
    GET  /metrics                       figures for Prometheus
    POST /v1/traces, /v1/logs           OTLP: binary or JSON, with or without gzip
    POST /hook/AGENT?mode=MODE          one hook event as the agent sends it; the answer is what `headway hook` prints
    POST /hook/framework?mode=MODE      one event of a framework in another language (also ai-sdk, mastra); its words
                                        are in `hosts/hook/agents/framework.py` and docs/how-to/service.md

A SESSION: id (stable, for links), host (claude-code, …), session (the agent's own id), agent (empty, or the id of a
sub-agent), cwd, project, model, started_at, seen_at (seconds since the epoch), ended, steps, last_tool, verdict (the
strongest action since the user's last message), revision, off, state (needs you, looping, working, idle, done), cells
(its latest ten steps), prompt (the beginning of the first
one), waiting (what a person has to answer in the program), finding (the open one, or null), decision (the latest, or
null). A step: number, at, tool, kind, title, outcome (ok,
failed, denied). A finding: detector, identity, severity, confidence, message, first_step, last_step, occurrences,
last_at. A decision: step, at, action, reason, message.
"""
