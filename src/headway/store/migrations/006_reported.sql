-- What the status line of a program says about the cost of a session whose money is limited.

ALTER TABLE sessions ADD COLUMN reported TEXT NOT NULL DEFAULT '';  -- JSON: dollars, and the size of the transcript then
