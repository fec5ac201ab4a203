-- Schema 5: by which method a run learned.
--
-- Neither column is part of the run's digest: both say what the command, which is part of it, said already.

-- The name of a row of learn/method/method.h.
ALTER TABLE run ADD COLUMN method TEXT NOT NULL DEFAULT '';
-- The roles of the optional inputs that it was given, each followed by a space.
ALTER TABLE run ADD COLUMN given TEXT NOT NULL DEFAULT '';

UPDATE run SET method = CASE
    WHEN substr(parameters, 1, 8) = 'graph = ' THEN 'graph'
    WHEN command LIKE '% gait store %' THEN 'gait'
    WHEN command LIKE '% schedule learn %' THEN 'schedule'
    WHEN command LIKE '% balance learn %' THEN 'balance'
    WHEN command LIKE '% balance momentum %' THEN 'momentum'
    WHEN command LIKE '% balance skate %' THEN 'skate'
    WHEN command LIKE '% balance board %' THEN 'board'
    WHEN command LIKE '% balance walk %' THEN 'ball-walk'
    WHEN command LIKE '% latent task %' THEN 'latent'
    ELSE 'chain' END;

UPDATE run SET given = iif(command GLOB '* --from[ =]*', 'from ', '') || iif(command GLOB '* --stance[ =]*', 'stance ', '')
    WHERE method = 'balance';
UPDATE run SET given = iif(command GLOB '* --from[ =]*', 'gait start ', '') WHERE method = 'gait';
UPDATE run SET given = iif(id IN (SELECT run FROM run_parent), 'from ', '') ||
    iif(command GLOB '* --control[ =]*', 'control ', '') || iif(command GLOB '* --starts[ =]*', 'starts ', '')
    WHERE method = 'chain';
