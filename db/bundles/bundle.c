#include "db/bundles/bundle.h"

#include "db/store/columns.h"
#include "db/store/rows.h"
#include "db/store/schema.h"
#include "db/store/upgrade.h"
#include "db/tables/certificates.h"
#include "db/tables/guides.h"
#include "db/tables/lineage.h"
#include "proto/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- copying rows from one catalogue to another, within a bracket of `to` ---
 *
 * A row whose content is already in `to`, under any name, is not copied. Rows it refers to must
 * have been copied before: the order is model, clip, runs by number, controller. */

typedef struct transfer {
    tr_catalogue *from, *to;
    tr_bundle_conflict conflict;
    tr_bundle_report report;
    tr_error *error;
} transfer;

/* --- names, existing rows --- */

/* "name-2", "name-3", ... until one is free; a long name is cut between characters to make room.
 * name: [TR_NAME_MAX] */
static tr_status find_free_name(transfer *t, tr_noun noun, char *name) {
    char stem[TR_NAME_MAX];
    tr_row_id taken = 1;
    tr_status status = TR_OK;
    memcpy(stem, name, TR_NAME_MAX);
    for (int n = 2; !status && taken; n++) {
        char suffix[12];
        int length = snprintf(suffix, sizeof suffix, "-%d", n), end = (int)strlen(stem);
        while (end + length >= TR_NAME_MAX ||
               (end > 0 && ((unsigned char)stem[end] & 0xc0) == 0x80))
            end--;
        snprintf(name, TR_NAME_MAX, "%.*s%s", end, stem, suffix);
        status = tr_rows_seek(t->to, noun, name, &taken, t->error);
    }
    return status;
}

/* Finds the row with the same content, or the name under which to store it. name: [TR_NAME_MAX],
 * may change. */
static tr_status settle(transfer *t, tr_noun noun, const tr_digest *digest, char *name,
                        bool *out_present) {
    tr_bundle_counts *counts[] = {&t->report.models, &t->report.clips, &t->report.runs,
                                  &t->report.controllers};
    tr_row_id id = 0;
    tr_status status = tr_rows_match(t->to, &(tr_row_key){noun, name, digest}, &id, t->error);
    if (status)
        return status;
    *out_present = id != 0;
    counts[noun]->present += id != 0;
    counts[noun]->added += id == 0;
    const bool steps_back =
        t->conflict == TR_BUNDLE_STEP_BACK && (noun == TR_NOUN_CLIP || noun == TR_NOUN_RUN);
    tr_row_id taken = 0;
    if (!id)
        status = tr_rows_seek(t->to, noun, name, &taken, t->error);
    if (status || id || !(taken || steps_back))
        return status;
    if (t->conflict == TR_BUNDLE_REFUSE)
        return tr_fail(t->error, TR_ALREADY_EXISTS, "%s '%s': the name is taken by other content",
                       tr_noun_name(noun), name);
    counts[noun]->renamed++;
    return find_free_name(t, noun, name);
}

/* The id in `to` of the row with `id` in `from`, which is there. */
static tr_status map_id(const transfer *t, tr_noun noun, tr_row_id *id) {
    tr_digest digest;
    tr_status status = tr_rows_digest(t->from, noun, *id, &digest, t->error);
    return status ? status : tr_rows_match(t->to, &(tr_row_key){noun, "", &digest}, id, t->error);
}

/* --- rows --- */

/* How rows are copied: those of a table, or by statements (columns.h). */
typedef struct row_part {
    const tr_table *table;
    const char *select, *insert;
} row_part;

static const row_part model_parts[] = {{.table = &tr_model_columns}, {0}};
static const row_part clip_parts[] = {{.table = &tr_clip_columns}, {0}};

static const row_part run_parts[] = {
    {.table = &tr_run_columns},
    {.table = &tr_run_parent_columns},
    {.table = &tr_run_metric_columns},
    {.select = "SELECT ?3, role, position, content FROM run_input WHERE run = ?1",
     .insert = "INSERT INTO run_input (run, role, position, content) VALUES (?, ?, ?, ?)"},
    {0}};

#define SECTION_SELECT                                                                             \
    "SELECT ?3, name, position, replaceable, content FROM controller_section WHERE controller = "  \
    "?1"
#define SECTION_INSERT                                                                             \
    "INSERT INTO controller_section (controller, name, position, replaceable, content) "           \
    "VALUES (?, ?, ?, ?, ?)"

#define STATE_WITH(seal, content)                                                                  \
    "(SELECT id FROM state WHERE seal = " seal " AND unpack(content) = unpack(" content "))"

/* States and fragments are shared: those that are there already are not copied. */
static const row_part controller_parts[] = {
    {.table = &tr_controller_columns},
    {.select = "SELECT seal, content FROM state WHERE id IN "
               "(SELECT f.start_state FROM controller_fragment p JOIN fragment f "
               "ON f.id = p.fragment WHERE p.controller = ?1 UNION "
               "SELECT f.end_state FROM controller_fragment p JOIN fragment f "
               "ON f.id = p.fragment WHERE p.controller = ?1)",
     .insert = "INSERT INTO state (seal, content) SELECT ?1, ?2 "
               "WHERE " STATE_WITH("?1", "?2") " IS NULL"},
    {.select = "SELECT f.digest, m.digest, f.steps, f.step_s, f.targets, f.policy, s.seal, "
               "s.content, e.seal, e.content FROM controller_fragment p "
               "JOIN fragment f ON f.id = p.fragment JOIN model m ON m.id = f.model "
               "JOIN state s ON s.id = f.start_state JOIN state e ON e.id = f.end_state "
               "WHERE p.controller = ?1",
     .insert =
         "INSERT INTO fragment "
         "(digest, model, steps, step_s, targets, policy, start_state, end_state) "
         "VALUES (?1, (SELECT min(id) FROM model WHERE digest = ?2), ?3, ?4, ?5, ?6, " STATE_WITH(
             "?7", "?8") ", " STATE_WITH("?9", "?10") ") "
                                                      "ON CONFLICT (digest) DO NOTHING"},
    {.table = &tr_controller_fragment_columns},
    {.select = SECTION_SELECT, .insert = SECTION_INSERT},
    {0}};

static const row_part learned_again_parts[] = {
    {.select = SECTION_SELECT " AND replaceable = 1", .insert = SECTION_INSERT}, {0}};

static const row_part certificate_parts[] = {{.table = &tr_certificate_columns},
                                             {.table = &tr_certificate_figure_columns},
                                             {.table = &tr_certificate_push_columns},
                                             {0}};

/* Copies the row `id` under that name, and what belongs to it. to_id: of the copy; 0: the first part
 * makes it. */
static tr_status copy_parts(const transfer *t, const row_part *part, tr_row_id id, const char *name,
                            tr_row_id to_id) {
    tr_row_copying copying = {t->from, t->to, id, name, to_id, t->error};
    tr_status status = TR_OK;
    for (; !status && (part->table || part->select); part++) {
        status = part->table ? tr_columns_copy(&copying, part->table)
                             : tr_columns_copy_by(&copying, part->select, part->insert);
        if (!copying.owner)
            copying.owner = sqlite3_last_insert_rowid(t->to->db);
    }
    return status;
}

/* --- nouns --- */

static tr_status read_key(const transfer *t, tr_noun noun, tr_row_id id, tr_digest *out_digest,
                          char *out_name) {
    char sql[64];
    snprintf(sql, sizeof sql, "SELECT digest, name FROM %s WHERE id = ?", tr_noun_name(noun));
    tr_query query = tr_query_begin(t->from, sql, t->error);
    tr_query_bind_int(&query, id);
    const bool found = tr_query_next(&query);
    if (found) {
        *out_digest = tr_query_digest(&query);
        tr_query_text(&query, out_name, TR_NAME_MAX);
    }
    return tr_rows_end(&query, noun, id, found);
}

/* Of a controller that is there already, something may have been learned since. */
static tr_status copy_learned_again(const transfer *t, tr_row_id id) {
    tr_row_id to_id = id;
    int64_t present = 0;
    tr_status status = map_id(t, TR_NOUN_CONTROLLER, &to_id);
    tr_query query = tr_query_begin(t->to,
                                    "SELECT count(*) FROM controller_section "
                                    "WHERE controller = ? AND replaceable = 1",
                                    t->error);
    tr_query_bind_int(&query, to_id);
    tr_status ended = tr_query_end_int(&query, &present);
    if (status || ended || present > 0)
        return status ? status : ended;
    return copy_parts(t, learned_again_parts, id, NULL, to_id);
}

static tr_status put_certificate(transfer *t, const tr_certificate_row *row) {
    tr_row_id id = 0, controller = row->controller_id;
    tr_status status = tr_rows_find_digest(t->to, TR_NOUN_CERTIFICATE, &row->digest, &id, t->error);
    t->report.certificates.present += id != 0;
    t->report.certificates.added += id == 0;
    if (status || id)
        return status;
    status = map_id(t, TR_NOUN_CONTROLLER, &controller);
    if (!status)
        status = tr_certificates_check_room(t->to, controller, t->error);
    return status ? status : copy_parts(t, certificate_parts, row->id, NULL, 0);
}

/* In the order of their ids, so that the copies have the same order. */
static tr_status copy_certificates(transfer *t, tr_row_id controller) {
    int count = TR_PAGE_MAX;
    tr_certificate_row *rows = calloc(TR_PAGE_MAX, sizeof *rows);
    if (!rows)
        return tr_fail(t->error, TR_RESOURCE_EXHAUSTED, "certificates: out of memory");
    tr_status status = tr_certificates_list(t->from, controller, NULL, rows, &count, t->error);
    for (int i = count - 1; !status && i >= 0; i--)
        status = put_certificate(t, &rows[i]);
    free(rows);
    return status;
}

/* What the target's guide says already stays. */
static tr_status copy_guide(transfer *t, tr_row_id controller) {
    tr_guide guide, present = {0};
    tr_row_id copy = controller;
    tr_status status = tr_guides_get(t->from, controller, &guide, t->error);
    if (status || !guide.section[0])
        return status;
    status = map_id(t, TR_NOUN_CONTROLLER, &copy);
    if (!status)
        status = tr_guides_get(t->to, copy, &present, t->error);
    if (status || present.section[0])
        return status;
    return tr_guides_put(t->to, copy, &guide, t->error);
}

/* Copies a row with what belongs to it: a run with its metrics and inputs, a controller with its
 * fragments, sections, certificates and guide, the last two also if the controller exists already. */
static tr_status copy_row(transfer *t, tr_noun noun, tr_row_id id) {
    static const row_part *const parts[] = {model_parts, clip_parts, run_parts, controller_parts};
    char name[TR_NAME_MAX];
    tr_digest digest;
    bool present = false;
    tr_status status = read_key(t, noun, id, &digest, name);
    if (!status)
        status = settle(t, noun, &digest, name, &present);
    if (!status && !present)
        status = copy_parts(t, parts[noun], id, name, 0);
    if (status || noun != TR_NOUN_CONTROLLER)
        return status;
    if (present)
        status = copy_learned_again(t, id);
    if (!status)
        status = copy_certificates(t, id);
    return status ? status : copy_guide(t, id);
}

static tr_status copy_noun(transfer *t, tr_noun noun) {
    char sql[64];
    snprintf(sql, sizeof sql, "SELECT id FROM %s ORDER BY id", tr_noun_name(noun));
    tr_query query = tr_query_begin(t->from, sql, t->error);
    while (tr_query_next(&query)) {
        tr_row_id id = tr_query_id(&query);
        if (!query.status)
            query.status = copy_row(t, noun, id);
    }
    return tr_query_end(&query);
}

/* Copies every row of every noun, in a valid order. */
static tr_status copy_all(transfer *t) {
    tr_status status = TR_OK;
    for (tr_noun noun = TR_NOUN_MODEL; !status && noun <= TR_NOUN_CONTROLLER; noun++)
        status = copy_noun(t, noun);
    return status;
}

/* --- export --- */

static int compare_nodes(const void *a, const void *b) {
    const tr_lineage_node *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* Runs by number, so that earlier runs come first. */
static tr_status export_controller(transfer *t, tr_lineage *lineage, tr_row_id id) {
    tr_status status = tr_lineage_trace(t->from, TR_NOUN_CONTROLLER, id, lineage, t->error);
    if (status)
        return status;
    qsort(lineage->node, (size_t)lineage->count, sizeof *lineage->node, compare_nodes);
    for (tr_noun noun = TR_NOUN_MODEL; noun <= TR_NOUN_CONTROLLER; noun++)
        for (int i = 0; !status && i < lineage->count; i++)
            if (lineage->node[i].kind == noun)
                status = copy_row(t, noun, lineage->node[i].id);
    return status;
}

static tr_status fill(tr_catalogue *from, const tr_row_id *controllers, int count, tr_catalogue *to,
                      tr_error *error) {
    transfer t = {.from = from, .to = to, .conflict = TR_BUNDLE_REFUSE, .error = error};
    tr_lineage *lineage = malloc(sizeof *lineage);
    if (!lineage)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "bundle: out of memory");
    tr_status status = tr_schema_migrate(to->db, &tr_schema_migrations, 0, error);
    if (!status) {
        status = tr_database_enter(to, error);
        for (int i = 0; !status && i < count; i++)
            status = export_controller(&t, lineage, controllers[i]);
        status = tr_database_leave(to, status, error);
    }
    free(lineage);
    return status ? status : tr_catalogue_check(to, error);
}

static tr_status write_out(sqlite3 *db, const char *path, tr_error *error) {
    sqlite3_int64 size = 0;
    unsigned char *bytes = sqlite3_serialize(db, "main", &size, 0);
    if (!bytes)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: no memory for the bundle", path);
    tr_status status = tr_sink_write(path, bytes, (size_t)size, error);
    sqlite3_free(bytes);
    return status;
}

tr_status tr_bundle_export(tr_catalogue *catalogue, const tr_row_id *controllers, int count,
                           const char *path, tr_error *error) {
    if (count < 1)
        return tr_fail(error, TR_INVALID_ARGUMENT, "bundle: expected at least one controller");
    tr_catalogue to = {.writable = true};
    tr_status status = tr_database_open("", TR_DATABASE_SCRATCH, true, &to.db, error);
    /* Most rows are blobs of a few thousand bytes, each of which leaves half a page empty. */
    if (!status)
        status = tr_database_exec(to.db, "PRAGMA page_size = 1024", error);
    if (!status)
        status = fill(catalogue, controllers, count, &to, error);
    if (!status)
        status = write_out(to.db, path, error);
    tr_database_close(&to);
    return status;
}

/* --- checks of the file before SQLite opens it --- */

/* Offsets in the 100 bytes at the head of an SQLite file (fileformat2.html, section 1.3). */
enum {
    HEADER_SIZE = 100,
    PAGE_SIZE_AT = 16,
    VERSIONS_AT = 18,
    FRACTIONS_AT = 21,
    PAGES_AT = 28,
    ENCODING_AT = 56
};

static uint32_t big_endian(const uint8_t *at, int bytes) {
    uint32_t value = 0;
    for (int i = 0; i < bytes; i++)
        value = value << 8 | at[i];
    return value;
}

static tr_status check_header(const uint8_t *header, int64_t size, tr_error *error) {
    static const uint8_t fractions[3] = {64, 32, 32};
    if (header[VERSIONS_AT] == 2 && header[VERSIONS_AT + 1] == 2)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "a live catalogue, not a bundle: export from it");
    uint32_t page = big_endian(header + PAGE_SIZE_AT, 2);
    page = page == 1 ? 65536 : page;
    bool sound = page >= 512 && (page & (page - 1)) == 0 && header[VERSIONS_AT] == 1 &&
                 header[VERSIONS_AT + 1] == 1 &&
                 memcmp(header + FRACTIONS_AT, fractions, sizeof fractions) == 0 &&
                 big_endian(header + ENCODING_AT, 4) == 1;
    if (!sound)
        return tr_fail(error, TR_DATA_LOSS, "its header is damaged");
    if ((int64_t)page * big_endian(header + PAGES_AT, 4) != size)
        return tr_fail(error, TR_DATA_LOSS, "wrong size: expected %lld bytes, found %lld",
                       (long long)page * big_endian(header + PAGES_AT, 4), (long long)size);
    return TR_OK;
}

static tr_status check_file(const char *path, tr_error *error) {
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return tr_fail(error, errno == EACCES ? TR_PERMISSION_DENIED : TR_NOT_FOUND, "%s",
                       strerror(errno));
    uint8_t header[HEADER_SIZE] = {0};
    struct stat about;
    tr_status status = TR_OK;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode))
        status = tr_fail(error, TR_FAILED_PRECONDITION, "not a file");
    else if (about.st_size > TR_BUNDLE_SIZE_MAX)
        status = tr_fail(error, TR_RESOURCE_EXHAUSTED, "larger than %d bytes", TR_BUNDLE_SIZE_MAX);
    else if (read(file, header, sizeof header) < 0 || memcmp(header, "SQLite format 3", 16) != 0)
        status = tr_fail(error, TR_FAILED_PRECONDITION, "not a bundle");
    else if (about.st_size < HEADER_SIZE)
        status =
            tr_fail(error, TR_DATA_LOSS, "cut short: expected a header of %d bytes", HEADER_SIZE);
    else
        status = check_header(header, about.st_size, error);
    close(file);
    return status;
}

/* --- checks of the content before it is copied --- */

/* Checks the row counts of a bundle, which bound the time of the later steps. */
static tr_status check_counts(tr_catalogue *bundle, tr_error *error) {
    static const struct {
        const char *table;
        int most;
    } limits[] = {{"model", 256},
                  {"clip", 4096},
                  {"run", 4096},
                  {"run_parent", 65536},
                  {"controller", 4096},
                  {"fragment", 65536},
                  {"controller_fragment", 65536},
                  {"guide", 4096},
                  {"former_name", 4096},
                  {"state", 1 << 17},
                  {"certificate", 4096},
                  {"certificate_figure", 1 << 20},
                  {"certificate_push", 1 << 20}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        char sql[64];
        int64_t count = 0;
        snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", limits[i].table);
        tr_status status = tr_database_read_int(bundle->db, sql, &count, error);
        if (status)
            return status;
        if (count > limits[i].most)
            return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: more than %d rows", limits[i].table,
                           limits[i].most);
    }
    return TR_OK;
}

/* Checks the schema of a bundle. A schema of an older build must be exactly that build's; the
 * bundle is then read through an upgraded copy. */
static tr_status check_schema(tr_catalogue *bundle, tr_error *error) {
    tr_migrations migrations = tr_schema_migrations;
    tr_schema_state state;
    tr_status status = tr_schema_inspect(bundle->db, &migrations, &state, error);
    if (status)
        return status;
    if (state.empty)
        return tr_fail(error, TR_FAILED_PRECONDITION, "not a bundle, but empty");
    migrations.latest = state.version;
    status = tr_schema_compare(bundle->db, &migrations, error);
    if (!status)
        status = tr_database_check(bundle->db, "integrity_check(1)", error);
    if (!status && state.version < tr_schema_migrations.latest)
        status = tr_upgrade_copy(&bundle->db, state.version, error);
    return status;
}

static tr_status check_content(tr_catalogue *bundle, tr_error *error) {
    tr_status status = check_schema(bundle, error);
    if (!status)
        status = check_counts(bundle, error);
    return status ? status : tr_catalogue_check(bundle, error);
}

/* Opens a bundle after all checks. */
static tr_status open_checked(const char *path, tr_catalogue *out, tr_error *error) {
    tr_catalogue bundle = {.writable = false};
    tr_error inner = {0};
    tr_status status = check_file(path, &inner);
    if (!status)
        status = tr_database_open(path, TR_DATABASE_SUSPECT, false, &bundle.db, &inner);
    if (!status)
        status = check_content(&bundle, &inner);
    if (status) {
        tr_database_close(&bundle);
        return tr_fail(error, status, "%.200s: %.280s", path, inner.message);
    }
    *out = bundle;
    return TR_OK;
}

/* --- import --- */

tr_status tr_bundle_check(const char *path, tr_error *error) {
    tr_catalogue bundle = {0};
    tr_status status = open_checked(path, &bundle, error);
    if (!status)
        tr_database_close(&bundle);
    return status;
}

tr_status tr_bundle_import(tr_catalogue *catalogue, const char *path, tr_bundle_conflict conflict,
                           tr_bundle_report *out_report, tr_error *error) {
    tr_catalogue bundle = {0};
    tr_status status = open_checked(path, &bundle, error);
    if (status)
        return status;
    transfer t = {.from = &bundle, .to = catalogue, .conflict = conflict, .error = error};
    status = tr_database_enter(catalogue, error);
    if (!status)
        status = copy_all(&t);
    status = tr_database_leave(catalogue, status, error);
    tr_database_close(&bundle);
    if (!status && out_report)
        *out_report = t.report;
    return status;
}

/* --- first start --- */

tr_status tr_bundle_install_shipped(tr_catalogue *catalogue, const char *path, bool *out_installed,
                                    tr_error *error) {
    tr_catalogue_summary summary;
    tr_status status = tr_catalogue_summarize(catalogue, &summary, error);
    if (status)
        return status;
    bool empty = summary.models + summary.clips + summary.runs + summary.controllers == 0;
    if (empty)
        status = tr_bundle_import(catalogue, path, TR_BUNDLE_REFUSE, NULL, error);
    if (!status && out_installed)
        *out_installed = empty;
    return status;
}
