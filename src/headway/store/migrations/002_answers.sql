-- What a person has answered, what a stricter mode would have done, what tells sessions apart, and what to notify about.

ALTER TABLE sessions ADD COLUMN prompt TEXT NOT NULL DEFAULT '';      -- beginning of the first prompt, secrets masked
ALTER TABLE sessions ADD COLUMN transcript TEXT NOT NULL DEFAULT '';  -- the file in which the program records it
ALTER TABLE sessions ADD COLUMN moment TEXT NOT NULL DEFAULT '';      -- kind of the last event, see hosts/hook/event.py
ALTER TABLE sessions ADD COLUMN waiting TEXT NOT NULL DEFAULT '';     -- what a person has to answer in the program
ALTER TABLE sessions ADD COLUMN turn_step INTEGER NOT NULL DEFAULT 0; -- steps when the user last spoke

ALTER TABLE decisions ADD COLUMN would INTEGER NOT NULL DEFAULT 0;    -- 1: the mode did not allow it; it was not done
ALTER TABLE decisions ADD COLUMN until_at REAL;                       -- would: last event of the turn that went on
ALTER TABLE decisions ADD COLUMN until_step INTEGER;

CREATE TABLE answers (
    project TEXT NOT NULL,                     -- the folder with .git, or else the folder itself
    kind    TEXT NOT NULL,                     -- allow or mute
    subject TEXT NOT NULL,                     -- allow: fingerprint of a call; mute: a detector
    about   TEXT NOT NULL DEFAULT '',          -- the same for a person
    at      REAL NOT NULL,
    until   REAL,                              -- NULL: for good
    PRIMARY KEY (project, kind, subject)
) WITHOUT ROWID;

CREATE TABLE notices (
    id         INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL,                  -- stop, escalate, needs_you, budget_80, budget_100
    subject    TEXT NOT NULL,                  -- which one: the same thing is notified about once
    at         REAL NOT NULL,
    message    TEXT NOT NULL,
    sent_at    REAL,                           -- NULL: still due
    tries      INTEGER NOT NULL DEFAULT 0,
    UNIQUE (session_id, kind, subject)
);
