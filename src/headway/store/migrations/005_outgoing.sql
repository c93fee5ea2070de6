-- Events that wait to be sent to other machines, if the user has set `forward.kafka`.

CREATE TABLE outgoing (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,  -- in the order of the events; never used again
    key   TEXT NOT NULL,                      -- run/agent
    event BLOB NOT NULL                       -- JSON, without what may not leave the machine
);

CREATE TABLE outgoing_counts (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    bytes   INTEGER NOT NULL DEFAULT 0,       -- size of what waits
    sent    INTEGER NOT NULL DEFAULT 0,       -- events that the broker has acknowledged
    dropped INTEGER NOT NULL DEFAULT 0        -- events that did not fit into the queue, or were too large
);

INSERT INTO outgoing_counts (one) VALUES (1);
