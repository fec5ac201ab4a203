-- The schema, which is number 7: catalogues of older ones are refused (store/schema.c).
--
-- Digests are SHA-256 over a row's content without its name (digest.h). Unsigned 64-bit numbers are
-- kept as the signed ones of the same bits. Blobs are sealed (blob.h). Rows are immutable once they
-- are there; they go back to lower ids of their own kind only. Tables WITHOUT ROWID name the columns
-- of their key first and in its order (quick_check of SQLite 3.40 mistakes them otherwise). Content
-- longer than a mebibyte is cut into several rows. Bulky content is packed (store/pack.h); digests
-- stay those of the unpacked bytes.

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
, method TEXT NOT NULL DEFAULT '', given TEXT NOT NULL DEFAULT '') STRICT;

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
, kind TEXT NOT NULL DEFAULT 'chain') STRICT;

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

-- --- certificates ---

-- One certification of a controller: what was run, by what program, when. `method` numbers the
-- definitions of the trials (learn/certify.h), so that figures of two methods are never compared.
CREATE TABLE certificate (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    controller INTEGER NOT NULL REFERENCES controller (id) ON DELETE CASCADE,
    method INTEGER NOT NULL CHECK (method > 0),
    command TEXT NOT NULL,
    seed INTEGER NOT NULL,
    threads INTEGER NOT NULL CHECK (threads > 0),
    code_version TEXT NOT NULL,
    host TEXT NOT NULL,
    started_ns INTEGER NOT NULL CHECK (started_ns >= 0),
    ended_ns INTEGER NOT NULL CHECK (ended_ns >= started_ns)
) STRICT;

CREATE INDEX certificate_by_controller ON certificate (controller);

-- A measured quantity, unit last ("joint_error_rad"), of an item ("lhip"; empty: of the whole).
CREATE TABLE certificate_figure (
    certificate INTEGER NOT NULL REFERENCES certificate (id) ON DELETE CASCADE,
    quantity TEXT NOT NULL,
    item TEXT NOT NULL,
    value REAL NOT NULL,
    PRIMARY KEY (certificate, quantity, item)
) STRICT, WITHOUT ROWID;

-- Pushes of one direction and force: how many were tried and survived. Directions are counted
-- anticlockwise from the heading, 0 to directions - 1.
CREATE TABLE certificate_push (
    certificate INTEGER NOT NULL REFERENCES certificate (id) ON DELETE CASCADE,
    direction INTEGER NOT NULL CHECK (direction >= 0),
    force_n REAL NOT NULL CHECK (force_n > 0),
    trials INTEGER NOT NULL CHECK (trials > 0),
    survived INTEGER NOT NULL CHECK (survived BETWEEN 0 AND trials),
    PRIMARY KEY (certificate, direction, force_n)
) STRICT, WITHOUT ROWID;

-- --- matches ---

-- A match as it was asked for, and how far it is. `state`: 0 running, 1 done, 2 cancelled, 3 failed
-- (`reason` tells why). The digest covers what never changes. seed, cast_hash and hash are unsigned.
CREATE TABLE match (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    definition BLOB NOT NULL,
    rule TEXT NOT NULL,
    seed INTEGER NOT NULL,
    bout_count INTEGER NOT NULL CHECK (bout_count > 0),
    team_count INTEGER NOT NULL CHECK (team_count > 0),
    cast_hash INTEGER NOT NULL,
    state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
    reason TEXT NOT NULL,
    created_ns INTEGER NOT NULL CHECK (created_ns >= 0),
    ended_ns INTEGER NOT NULL CHECK (ended_ns >= 0)
) STRICT;

CREATE INDEX match_by_state ON match (state);

-- The result of one bout. `outcome`: 0 won by team `winner`, 1 drawn, 2 void.
CREATE TABLE bout (
    match INTEGER NOT NULL REFERENCES match (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position >= 0),
    seed INTEGER NOT NULL,
    outcome INTEGER NOT NULL CHECK (outcome BETWEEN 0 AND 2),
    winner INTEGER NOT NULL,
    ticks INTEGER NOT NULL CHECK (ticks >= 0),
    hash INTEGER NOT NULL,
    scores BLOB NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (match, position)
) STRICT, WITHOUT ROWID;

-- A file that a run was given besides its model and clip, by its role ("starts", "control",
-- "connectivity"; "parts", what a graph was made of), byte by byte. Part of the run's digest.
CREATE TABLE run_input (
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    position INTEGER NOT NULL CHECK (position >= 0),
    content BLOB NOT NULL,
    PRIMARY KEY (run, role, position)
) STRICT, WITHOUT ROWID;

-- Content of a controller besides its fragments, by the names that its kind gives
-- (control/fields/sections.h). Part of the digest unless it is `replaceable`.
CREATE TABLE controller_section (
    controller INTEGER NOT NULL REFERENCES controller (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    position INTEGER NOT NULL CHECK (position >= 0),
    replaceable INTEGER NOT NULL CHECK (replaceable IN (0, 1)),
    content BLOB NOT NULL,
    PRIMARY KEY (controller, name, position)
) STRICT, WITHOUT ROWID;

-- A state that ends one fragment and begins the next is stored once. `seal` is the checksum within
-- the unpacked content (store/blob.h), to find equal content by.
CREATE TABLE state (
    id INTEGER PRIMARY KEY,
    seal BLOB NOT NULL,
    content BLOB NOT NULL
) STRICT;

CREATE INDEX state_by_seal ON state (seal);

-- A control fragment {dt, m_hat, pi} (liu2015-guided, section 4): targets m_hat, policy pi with its
-- action map, reference states at both ends. dt = steps * step_s.
CREATE TABLE "fragment" (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    model INTEGER NOT NULL REFERENCES model (id),
    steps INTEGER NOT NULL CHECK (steps > 0),
    step_s REAL NOT NULL CHECK (step_s > 0),
    targets BLOB NOT NULL,
    policy BLOB NOT NULL,
    start_state INTEGER NOT NULL REFERENCES state (id),
    end_state INTEGER NOT NULL REFERENCES state (id)
) STRICT;

CREATE INDEX fragment_by_model ON fragment (model);

CREATE TABLE guide (
    controller INTEGER PRIMARY KEY REFERENCES controller (id) ON DELETE CASCADE,
    section TEXT NOT NULL,
    summary TEXT NOT NULL
) STRICT;

CREATE TABLE former_name (
    name TEXT NOT NULL,
    controller INTEGER NOT NULL REFERENCES controller (id) ON DELETE CASCADE,
    PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;

CREATE INDEX former_name_by_controller ON former_name (controller);
