-- Schema 1: provenance (models, clips, training runs) and what was learned (fragments,
-- controllers).
--
-- Digests are SHA-256 over a row's content without its name (digest.h). Unsigned 64-bit numbers are
-- kept as the signed ones of the same bits. Blobs are sealed (blob.h). Rows are immutable once they
-- are there; they go back to lower ids of their own kind only. Tables WITHOUT ROWID name the columns
-- of their key first and in its order (quick_check of SQLite 3.40 mistakes them otherwise).

CREATE TABLE model (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    body_count INTEGER NOT NULL,
    dof_count INTEGER NOT NULL,
    mjcf TEXT NOT NULL
) STRICT;

CREATE INDEX model_by_digest ON model (digest);

CREATE TABLE clip (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    source TEXT NOT NULL,
    licence TEXT NOT NULL,
    file_digest BLOB NOT NULL CHECK (length(file_digest) = 32),
    skeleton TEXT NOT NULL,
    frame_count INTEGER NOT NULL CHECK (frame_count > 0),
    frames_per_s REAL NOT NULL CHECK (frames_per_s > 0),
    first_frame INTEGER NOT NULL CHECK (first_frame >= 0),
    last_frame INTEGER NOT NULL CHECK (last_frame BETWEEN first_frame AND frame_count - 1),
    cyclic INTEGER NOT NULL CHECK (cyclic IN (0, 1))
) STRICT;

CREATE INDEX clip_by_digest ON clip (digest);

CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    command TEXT NOT NULL,
    parameters TEXT NOT NULL,
    seed INTEGER NOT NULL,
    threads INTEGER NOT NULL CHECK (threads > 0),
    code_version TEXT NOT NULL,
    host TEXT NOT NULL,
    started_ns INTEGER NOT NULL CHECK (started_ns >= 0),
    ended_ns INTEGER NOT NULL CHECK (ended_ns >= started_ns)
) STRICT;

CREATE INDEX run_by_digest ON run (digest);

CREATE TABLE run_parent (
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    parent INTEGER NOT NULL REFERENCES run (id),
    PRIMARY KEY (run, position),
    UNIQUE (run, parent),
    CHECK (parent < run)
) STRICT, WITHOUT ROWID;

CREATE INDEX run_by_parent ON run_parent (parent);

CREATE TABLE run_metric (
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    iteration INTEGER NOT NULL,
    name TEXT NOT NULL,
    value REAL NOT NULL,
    PRIMARY KEY (run, iteration, name)
) STRICT, WITHOUT ROWID;

-- A control fragment {dt, m_hat, pi} (liu2015-guided, section 4): targets m_hat, policy pi with its
-- action map, reference states at both ends. dt = steps * step_s.
CREATE TABLE fragment (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    model INTEGER NOT NULL REFERENCES model (id),
    steps INTEGER NOT NULL CHECK (steps > 0),
    step_s REAL NOT NULL CHECK (step_s > 0),
    targets BLOB NOT NULL,
    policy BLOB NOT NULL,
    start_state BLOB NOT NULL,
    end_state BLOB NOT NULL
) STRICT;

CREATE INDEX fragment_by_model ON fragment (model);

CREATE TABLE controller (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    skill TEXT NOT NULL,
    model INTEGER NOT NULL REFERENCES model (id),
    run INTEGER REFERENCES run (id),
    clip INTEGER REFERENCES clip (id),
    gain_set TEXT NOT NULL,
    step_s REAL NOT NULL CHECK (step_s > 0),
    cyclic INTEGER NOT NULL CHECK (cyclic IN (0, 1)),
    mirrored INTEGER NOT NULL CHECK (mirrored IN (0, 1)),
    duration_s REAL NOT NULL CHECK (duration_s > 0),
    spawn_state BLOB NOT NULL
) STRICT;

CREATE INDEX controller_by_digest ON controller (digest);
CREATE INDEX controller_by_model ON controller (model);
CREATE INDEX controller_by_run ON controller (run);
CREATE INDEX controller_by_clip ON controller (clip);

CREATE TABLE controller_fragment (
    controller INTEGER NOT NULL REFERENCES controller (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position >= 0),
    fragment INTEGER NOT NULL REFERENCES fragment (id),
    PRIMARY KEY (controller, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX controller_by_fragment ON controller_fragment (fragment);
