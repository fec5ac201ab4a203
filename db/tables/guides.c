#include "db/tables/guides.h"

#include "db/store/query.h"
#include "db/store/text.h"

#include <string.h>

/* --- put --- */

static tr_status check(const tr_guide *guide, tr_error *error) {
    tr_status status =
        tr_text_check_name("guide: section", guide->section, sizeof guide->section, error);
    if (!status)
        status = tr_text_check_name("guide: summary", guide->summary, sizeof guide->summary, error);
    for (int i = 0; !status && i < guide->former_count; i++)
        status = tr_text_check_name("guide: former name", guide->former[i], sizeof guide->former[i],
                                    error);
    return status;
}

static tr_status clear(tr_catalogue *catalogue, tr_row_id controller, tr_error *error) {
    tr_query query =
        tr_query_begin(catalogue, "DELETE FROM former_name WHERE controller = ?", error);
    tr_query_bind_int(&query, controller);
    tr_query_run(&query);
    return tr_query_end(&query);
}

static tr_status put_words(tr_catalogue *catalogue, tr_row_id controller, const tr_guide *guide,
                           tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue, "INSERT OR REPLACE INTO guide (controller, section, summary) VALUES (?, ?, ?)",
        error);
    tr_query_bind_int(&query, controller);
    tr_query_bind_text(&query, guide->section);
    tr_query_bind_text(&query, guide->summary);
    tr_query_run(&query);
    return tr_query_end(&query);
}

static tr_status put_former_names(tr_catalogue *catalogue, tr_row_id controller,
                                  const tr_guide *guide, tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue, "INSERT OR REPLACE INTO former_name (name, controller) VALUES (?, ?)", error);
    for (int i = 0; i < guide->former_count; i++) {
        tr_query_bind_text(&query, guide->former[i]);
        tr_query_bind_int(&query, controller);
        tr_query_run(&query);
    }
    return tr_query_end(&query);
}

tr_status tr_guides_put(tr_catalogue *catalogue, tr_row_id controller, const tr_guide *guide,
                        tr_error *error) {
    bool outermost = false;
    tr_status status = check(guide, error);
    if (!status)
        status = tr_database_enter(catalogue, &outermost, error);
    if (status)
        return status;
    status = clear(catalogue, controller, error);
    if (!status)
        status = put_words(catalogue, controller, guide, error);
    if (!status)
        status = put_former_names(catalogue, controller, guide, error);
    return tr_database_leave(catalogue, outermost, status, error);
}

/* --- get --- */

static tr_status read_former_names(tr_catalogue *catalogue, tr_row_id controller, tr_guide *out,
                                   tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue, "SELECT name FROM former_name WHERE controller = ? ORDER BY name", error);
    tr_query_bind_int(&query, controller);
    while (tr_query_next(&query)) {
        if (out->former_count == TR_GUIDE_FORMER_MAX)
            tr_query_fail(&query, TR_DATA_LOSS, "guide: too many former names of a controller");
        else
            tr_query_text(&query, out->former[out->former_count++], sizeof out->former[0]);
    }
    return tr_query_end(&query);
}

tr_status tr_guides_get(tr_catalogue *catalogue, tr_row_id controller, tr_guide *out,
                        tr_error *error) {
    tr_guide guide = {0};
    tr_query query =
        tr_query_begin(catalogue, "SELECT section, summary FROM guide WHERE controller = ?", error);
    tr_query_bind_int(&query, controller);
    if (tr_query_next(&query)) {
        tr_query_text(&query, guide.section, sizeof guide.section);
        tr_query_text(&query, guide.summary, sizeof guide.summary);
    }
    tr_status status = tr_query_end(&query);
    if (!status)
        status = read_former_names(catalogue, controller, &guide, error);
    tr_error found = {0};
    if (!status && guide.section[0] && check(&guide, &found))
        status = tr_fail(error, TR_DATA_LOSS, "%s", found.message);
    if (!status)
        *out = guide;
    return status;
}

tr_status tr_guides_find(tr_catalogue *catalogue, const char *former, tr_row_id *out_controller,
                         tr_error *error) {
    tr_row_id id = 0;
    tr_query query =
        tr_query_begin(catalogue, "SELECT controller FROM former_name WHERE name = ?", error);
    tr_query_bind_text(&query, former);
    if (tr_query_next(&query))
        id = tr_query_id(&query);
    tr_status status = tr_query_end(&query);
    if (!status)
        *out_controller = id;
    return status;
}
