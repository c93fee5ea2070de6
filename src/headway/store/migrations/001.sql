-- Live sessions, what was found in them and what was decided.
-- An older Headway does not touch a database that has seen later migrations than it knows.

CREATE TABLE sessions (
    id            INTEGER PRIMARY KEY,
    host          TEXT NOT NULL,               -- the agent program: claude-code, codex, …
    session       TEXT NOT NULL,               -- its own id of the conversation
    agent         TEXT NOT NULL DEFAULT '',    -- '' is the main agent, else the id of a sub-agent
    route         TEXT NOT NULL DEFAULT '',    -- how it was first heard (hook --agent …); other routes fire double
    cwd           TEXT NOT NULL DEFAULT '',
    model         TEXT,
    started_at    REAL NOT NULL,               -- seconds since the epoch
    seen_at       REAL NOT NULL,
    ended         INTEGER NOT NULL DEFAULT 0,
    steps         INTEGER NOT NULL DEFAULT 0,  -- calls that came back
    last_tool     TEXT,
    verdict       TEXT NOT NULL DEFAULT 'continue',  -- strongest action since the user last spoke
    watchful      INTEGER NOT NULL DEFAULT 0,  -- 1: the next call may be refused, so it must be looked at before it runs
    revision      INTEGER NOT NULL DEFAULT 0,  -- how often the row was written: who read an older one has to look again
    notes         TEXT NOT NULL DEFAULT '{}',  -- JSON: what only the hook needs (open calls, what was said at the end)
    settings_mark TEXT NOT NULL DEFAULT '',    -- which settings files the monitor was made with
    written_by    TEXT NOT NULL DEFAULT '',    -- version of Headway
    monitor       BLOB,                        -- Monitor.save(content=False); NULL once the session is old
    UNIQUE (host, session, agent)
);

CREATE INDEX sessions_by_time ON sessions (seen_at);

CREATE TABLE findings (
    session_id  INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    detector    TEXT NOT NULL,
    identity    TEXT NOT NULL,                 -- which loop, which file, which error
    severity    TEXT NOT NULL,                 -- low, medium, high, critical
    confidence  REAL NOT NULL,
    message     TEXT NOT NULL,
    first_step  INTEGER NOT NULL,
    last_step   INTEGER NOT NULL,
    occurrences INTEGER NOT NULL DEFAULT 1,
    last_at     REAL NOT NULL,
    PRIMARY KEY (session_id, detector, identity)
) WITHOUT ROWID;

CREATE TABLE decisions (
    id         INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    step       INTEGER NOT NULL,
    at         REAL NOT NULL,
    action     TEXT NOT NULL,                  -- nudge, block, stop, escalate
    reason     TEXT NOT NULL,                  -- id of the detector or rule
    message    TEXT NOT NULL
);

CREATE INDEX decisions_by_session ON decisions (session_id);
