#include "db/bundles/bundle.h"

#include "db/bundles/transfer.h"
#include "db/store/rows.h"
#include "db/store/schema.h"
#include "db/store/upgrade.h"
#include "db/tables/lineage.h"
#include "proto/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- export --- */

static int compare_nodes(const void *a, const void *b) {
    const tr_lineage_node *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* Runs by number, so that earlier runs come first. */
static tr_status export_controller(tr_transfer *transfer, tr_lineage *lineage, tr_row_id id) {
    tr_status status =
        tr_lineage_trace(transfer->from, TR_NOUN_CONTROLLER, id, lineage, transfer->error);
    if (status)
        return status;
    qsort(lineage->node, (size_t)lineage->count, sizeof *lineage->node, compare_nodes);
    for (tr_noun noun = TR_NOUN_MODEL; noun <= TR_NOUN_CONTROLLER; noun++)
        for (int i = 0; !status && i < lineage->count; i++)
            if (lineage->node[i].kind == noun)
                status = tr_transfer_row(transfer, noun, lineage->node[i].id);
    return status;
}

static tr_status fill(tr_catalogue *from, const tr_row_id *controllers, int count, tr_catalogue *to,
                      tr_error *error) {
    tr_transfer transfer = {.from = from, .to = to, .conflict = TR_BUNDLE_REFUSE, .error = error};
    tr_lineage *lineage = malloc(sizeof *lineage);
    if (!lineage)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "bundle: out of memory");
    tr_status status = tr_schema_migrate(to->db, &tr_schema_migrations, 0, error);
    if (!status) {
        status = tr_database_enter(to, error);
        for (int i = 0; !status && i < count; i++)
            status = export_controller(&transfer, lineage, controllers[i]);
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
    tr_transfer transfer = {.from = &bundle, .to = catalogue, .conflict = conflict, .error = error};
    status = tr_database_enter(catalogue, error);
    if (!status)
        status = tr_transfer_all(&transfer);
    status = tr_database_leave(catalogue, status, error);
    tr_database_close(&bundle);
    if (!status && out_report)
        *out_report = transfer.report;
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
