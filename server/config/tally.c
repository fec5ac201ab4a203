#include "server/config/tally.h"

/* A code of a later version counts as UNKNOWN. */
static unsigned code_of(tr_status status) {
    int code = -(int)status;
    return code >= 0 && code < TR_TALLY_CODE_COUNT ? (unsigned)code : (unsigned)-TR_UNKNOWN;
}

void tr_tally_request(tr_tally *tally, unsigned field_number, tr_status status) {
    if (field_number < TR_TALLY_REQUEST_MAX)
        tally->requests[field_number][code_of(status)]++;
}

void tr_tally_command(tr_tally *tally, unsigned command, tr_status status) {
    if (command < TR_TALLY_COMMAND_MAX)
        tally->commands[command][code_of(status)]++;
}

void tr_tally_add_lateness(tr_lateness *sum, const tr_lateness *from) {
    sum->tick_count += from->tick_count;
    sum->sum_s += from->sum_s;
    for (int i = 0; i < TR_LATENESS_BUCKET_COUNT; i++)
        sum->count[i] += from->count[i];
    if (from->max_s > sum->max_s)
        sum->max_s = from->max_s;
}
