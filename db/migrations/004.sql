-- Schema 4: controllers of every kind (control/driver.h).
--
-- As in schema 3: content longer than a mebibyte is cut into several rows.

-- The kind of what drives; recovery around it is not kept, but put around it again by loading.
ALTER TABLE controller ADD COLUMN kind TEXT NOT NULL DEFAULT 'chain';
UPDATE controller SET kind = 'graph' WHERE id IN (SELECT controller FROM graph_node);

-- Content of a controller besides its fragments, by the names that its kind gives (control/sections.h).
-- Part of the controller's digest unless it is `replaceable`. Chains and graphs have tables of their
-- own instead (steering, graph_node, graph_edge).
CREATE TABLE controller_section (
    controller INTEGER NOT NULL REFERENCES controller (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    position INTEGER NOT NULL CHECK (position >= 0),
    replaceable INTEGER NOT NULL CHECK (replaceable IN (0, 1)),
    content BLOB NOT NULL,
    PRIMARY KEY (controller, name, position)
) STRICT, WITHOUT ROWID;
