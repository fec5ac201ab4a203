/* Copies the rows of a controller from one catalogue to another (controllers.h). */
#include "db/store/query.h"
#include "db/tables/controller_insert.h"

#define SECTION_INSERT                                                                             \
    "INSERT INTO controller_section (controller, name, position, replaceable, content) "           \
    "VALUES (?, ?, ?, ?, ?)"

/* What a copied row refers to in the new catalogue. */
typedef enum row_owner { OWNER_NONE, OWNER_MODEL, OWNER_CONTROLLER } row_owner;

/* How the rows of a controller are copied. The query has the old id as its first parameter, and the
 * owner in the new catalogue as its second one. Packed content is copied as it is. */
typedef struct row_copy {
    const char *select, *insert;
    row_owner owner;
} row_copy;

#define STATE_WITH(seal, content)                                                                  \
    "(SELECT id FROM state WHERE seal = " seal " AND unpack(content) = unpack(" content "))"

static const row_copy copies[] = {
    {"SELECT seal, content FROM state WHERE id IN "
     "(SELECT f.start_state FROM controller_fragment p JOIN fragment f ON f.id = p.fragment "
     "WHERE p.controller = ?1 UNION "
     "SELECT f.end_state FROM controller_fragment p JOIN fragment f ON f.id = p.fragment "
     "WHERE p.controller = ?1)",
     "INSERT INTO state (seal, content) SELECT ?1, ?2 WHERE " STATE_WITH("?1", "?2") " IS NULL",
     OWNER_NONE},
    {"SELECT f.digest, ?2, f.steps, f.step_s, f.targets, f.policy, s.seal, s.content, e.seal, "
     "e.content FROM controller_fragment p JOIN fragment f ON f.id = p.fragment "
     "JOIN state s ON s.id = f.start_state JOIN state e ON e.id = f.end_state "
     "WHERE p.controller = ?1",
     "INSERT INTO fragment (digest, model, steps, step_s, targets, policy, start_state, end_state) "
     "VALUES (?1, ?2, ?3, ?4, ?5, ?6, " STATE_WITH("?7", "?8") ", " STATE_WITH(
         "?9", "?10") ") "
                      "ON CONFLICT (digest) DO NOTHING",
     OWNER_MODEL},
    {"SELECT ?2, p.position, f.digest FROM controller_fragment p "
     "JOIN fragment f ON f.id = p.fragment WHERE p.controller = ?1",
     "INSERT INTO controller_fragment (controller, position, fragment) "
     "SELECT ?1, ?2, id FROM fragment WHERE digest = ?3",
     OWNER_CONTROLLER},
    {"SELECT ?2, name, position, replaceable, content FROM controller_section "
     "WHERE controller = ?1",
     SECTION_INSERT, OWNER_CONTROLLER},
};

static const row_copy learned_again = {
    "SELECT ?2, name, position, replaceable, content FROM controller_section "
    "WHERE controller = ?1 AND replaceable = 1",
    SECTION_INSERT, OWNER_CONTROLLER};

static tr_status copy_rows(tr_catalogue *from, tr_row_id id, tr_catalogue *to, tr_row_id owner,
                           const row_copy *copy, tr_error *error) {
    tr_query rows = tr_query_begin(from, copy->select, error);
    tr_query put = tr_query_begin(to, copy->insert, error);
    tr_query_bind_int(&rows, id);
    if (copy->owner != OWNER_NONE)
        tr_query_bind_int(&rows, owner);
    tr_query_copy_rows(&rows, &put);
    tr_status ended = tr_query_end(&rows), status = tr_query_end(&put);
    return ended ? ended : status;
}

static tr_status copy_head(tr_catalogue *from, tr_row_id id, tr_catalogue *to,
                           const tr_controller_row *as, tr_row_id *out_id, tr_error *error) {
    tr_query query = tr_query_begin(from, "SELECT spawn_state FROM controller WHERE id = ?", error);
    tr_query_bind_int(&query, id);
    tr_blob_view spawn = {NULL, 0};
    if (tr_query_next(&query))
        spawn = tr_query_blob(&query);
    if (!query.status)
        query.status = tr_controllers_insert(to, as, spawn, out_id, error);
    return tr_query_end(&query);
}

tr_status tr_controllers_copy(tr_catalogue *from, tr_row_id id, tr_catalogue *to,
                              const tr_controller_row *as, tr_error *error) {
    tr_row_id copy = 0;
    tr_status status = copy_head(from, id, to, as, &copy, error);
    for (size_t i = 0; !status && i < sizeof copies / sizeof *copies; i++)
        status = copy_rows(from, id, to, copies[i].owner == OWNER_MODEL ? as->model_id : copy,
                           &copies[i], error);
    return status;
}

tr_status tr_controllers_copy_learned_again(tr_catalogue *from, tr_row_id id, tr_catalogue *to,
                                            tr_row_id to_id, tr_error *error) {
    int64_t present = 0;
    tr_query query = tr_query_begin(
        to, "SELECT count(*) FROM controller_section WHERE controller = ? AND replaceable = 1",
        error);
    tr_query_bind_int(&query, to_id);
    if (tr_query_next(&query))
        present = tr_query_int64(&query);
    tr_status status = tr_query_end(&query);
    return status || present > 0 ? status : copy_rows(from, id, to, to_id, &learned_again, error);
}
