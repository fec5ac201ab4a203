-- Schema 6: bulky content is packed (store/pack.h), and a state that ends one fragment and begins the
-- next is stored once. Digests stay those of the unpacked bytes. The guide says in words what a
-- controller is for, and which former names lead to it.

-- `seal` is the checksum within the unpacked content (store/blob.h), to find equal content by.
CREATE TABLE state (
    id INTEGER PRIMARY KEY,
    seal BLOB NOT NULL,
    content BLOB NOT NULL
) STRICT;

INSERT INTO state (seal, content) SELECT substr(content, 17, 8), pack(content)
    FROM (SELECT start_state AS content FROM fragment UNION SELECT end_state FROM fragment);

CREATE INDEX state_by_seal ON state (seal);

CREATE TABLE fragment_6 (
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

INSERT INTO fragment_6 SELECT id, digest, model, steps, step_s, pack(targets), pack(policy),
    (SELECT s.id FROM state s WHERE s.seal = substr(start_state, 17, 8) AND unpack(s.content) = start_state),
    (SELECT s.id FROM state s WHERE s.seal = substr(end_state, 17, 8) AND unpack(s.content) = end_state)
    FROM fragment;

DROP TABLE fragment;
ALTER TABLE fragment_6 RENAME TO fragment;
CREATE INDEX fragment_by_model ON fragment (model);

UPDATE controller_section SET content = pack(content);
UPDATE run_input SET content = pack(content);

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
