-- The steps of each session, for its timeline.

CREATE TABLE steps (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    number     INTEGER NOT NULL,               -- place in the session, counted from 1
    at         REAL,                           -- seconds since the epoch
    tool       TEXT NOT NULL,
    kind       TEXT NOT NULL,                  -- read, search, edit, test, …
    title      TEXT NOT NULL,                  -- command, file or query, without secrets
    outcome    TEXT NOT NULL,                  -- ok, failed or denied
    PRIMARY KEY (session_id, number)
) WITHOUT ROWID;
