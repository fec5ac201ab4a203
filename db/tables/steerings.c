#include "db/tables/steerings.h"

#include "db/store/query.h"

/* Payload: u32 size of the action; speed, turn, faster and slower rates; the actions turn, faster,
 * slower, [size] each. */
enum { VERSION = 1, INT_SIZE = 4, DOUBLE_SIZE = 8, RATES = 4, ACTIONS = 3 };

tr_status tr_steerings_encode(const tr_steering *steering, int size, tr_blob *out,
                              tr_error *error) {
    size_t count = (size_t)size;
    double rates[RATES] = {steering->speed_mps, steering->turn_rad_s, steering->faster_mps,
                           steering->slower_mps};
    tr_blob_writer writer = tr_blob_begin(TR_BLOB_STEERING, VERSION,
                                          INT_SIZE + (RATES + ACTIONS * count) * DOUBLE_SIZE);
    tr_blob_put_int(&writer, (uint32_t)size);
    tr_blob_put_doubles(&writer, rates, RATES);
    tr_blob_put_doubles(&writer, steering->turn, count);
    tr_blob_put_doubles(&writer, steering->faster, count);
    tr_blob_put_doubles(&writer, steering->slower, count);
    return tr_blob_seal(&writer, out, error);
}

tr_status tr_steerings_decode(tr_blob_view blob, int size, tr_steering *out, tr_error *error) {
    size_t count = (size_t)size;
    double rates[RATES] = {0};
    tr_steering steering = {0};
    tr_blob_reader reader = tr_blob_open(blob, TR_BLOB_STEERING, VERSION, error);
    tr_blob_get_int(&reader, size, size);
    tr_blob_get_doubles(&reader, rates, RATES);
    tr_blob_get_doubles(&reader, steering.turn, count);
    tr_blob_get_doubles(&reader, steering.faster, count);
    tr_blob_get_doubles(&reader, steering.slower, count);
    tr_status status = tr_blob_close(&reader);
    if (status)
        return status;
    steering.speed_mps = rates[0];
    steering.turn_rad_s = rates[1];
    steering.faster_mps = rates[2];
    steering.slower_mps = rates[3];
    *out = steering;
    return TR_OK;
}

tr_status tr_steerings_put(tr_catalogue *catalogue, tr_row_id controller,
                           const tr_steering *steering, int size, tr_error *error) {
    tr_blob blob = {0};
    bool kept = steering->speed_mps > 0 || steering->turn_rad_s > 0 || steering->faster_mps > 0 ||
                steering->slower_mps > 0;
    tr_status status = kept ? tr_steerings_encode(steering, size, &blob, error) : TR_OK;
    if (status)
        return status;
    tr_query query =
        tr_query_begin(catalogue,
                       kept ? "INSERT INTO steering (controller, content) VALUES (?1, ?2) "
                              "ON CONFLICT (controller) DO UPDATE SET content = excluded.content"
                            : "DELETE FROM steering WHERE controller = ?1",
                       error);
    tr_query_bind_int(&query, controller);
    if (kept)
        tr_query_bind_blob(&query, blob.data, blob.size);
    tr_query_run(&query);
    status = tr_query_end(&query);
    tr_blob_deinit(&blob);
    return status;
}

tr_status tr_steerings_get(tr_catalogue *catalogue, tr_row_id controller, int size,
                           tr_steering *out, tr_error *error) {
    tr_steering steering = {0};
    tr_query query =
        tr_query_begin(catalogue, "SELECT content FROM steering WHERE controller = ?", error);
    tr_query_bind_int(&query, controller);
    if (tr_query_next(&query)) {
        tr_blob_view blob = tr_query_blob(&query);
        if (!query.status)
            query.status = tr_steerings_decode(blob, size, &steering, error);
    }
    tr_status status = tr_query_end(&query);
    if (!status)
        *out = steering;
    return status;
}
