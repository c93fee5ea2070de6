-- What a session has used, as far as its telemetry tells it.

ALTER TABLE sessions ADD COLUMN tokens INTEGER;    -- read and written; NULL if unknown

ALTER TABLE sessions ADD COLUMN cost_usd REAL;     -- NULL if unknown
