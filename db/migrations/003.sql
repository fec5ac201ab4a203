-- Schema 3: what a training run was given.
--
-- As in schema 2. Content longer than a mebibyte is cut into several rows.

-- A file that a run was given besides its model and clip, by its role ("starts", "control",
-- "connectivity"; "parts", what a graph was made of), byte by byte. Part of the run's digest.
CREATE TABLE run_input (
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    position INTEGER NOT NULL CHECK (position >= 0),
    content BLOB NOT NULL,
    PRIMARY KEY (run, role, position)
) STRICT, WITHOUT ROWID;
