-- Schema 2: what a controller has been shown to do.
--
-- As in schema 1: digests are SHA-256 over a row's content, rows are immutable, tables WITHOUT
-- ROWID name the columns of their key first and in its order.

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

-- --- steering ---

-- What steers a controller (control/steering.h): actions added to its policies. Apart from the
-- controller's row and digest: it may be learned later, and learned anew.
CREATE TABLE steering (
    controller INTEGER PRIMARY KEY REFERENCES controller (id) ON DELETE CASCADE,
    content BLOB NOT NULL
) STRICT;

-- --- control graphs ---

-- A controller that is a control graph (control/control_graph.h): its skills, chains of its
-- fragments `first` to `first` + `fragments` - 1, and the edges between them. Part of its digest.
CREATE TABLE graph_node (
    controller INTEGER NOT NULL REFERENCES controller (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position >= 0),
    skill TEXT NOT NULL,
    gain_set TEXT NOT NULL,
    first INTEGER NOT NULL CHECK (first >= 0),
    fragments INTEGER NOT NULL CHECK (fragments > 0),
    cyclic INTEGER NOT NULL CHECK (cyclic IN (0, 1)),
    mirrored INTEGER NOT NULL CHECK (mirrored IN (0, 1)),
    turn_rad REAL NOT NULL,
    steering BLOB NOT NULL,
    PRIMARY KEY (controller, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE graph_edge (
    controller INTEGER NOT NULL REFERENCES controller (id) ON DELETE CASCADE,
    source INTEGER NOT NULL CHECK (source >= 0),
    target INTEGER NOT NULL CHECK (target >= 0),
    flips INTEGER NOT NULL CHECK (flips IN (0, 1)),
    PRIMARY KEY (controller, source, target, flips)
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
