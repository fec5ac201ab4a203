#include "cli/world_rows.h"

#include "cli/view.h"

bool tr_cli_parse_mode(const char *text, tr_client_mode *out) {
    return tr_view_find_choice(&troupe__world_mode__descriptor, text, out);
}

bool tr_cli_parse_fault_rule(const char *text, tr_client_fault_rule *out) {
    return tr_view_find_choice(&troupe__fault_rule__descriptor, text, out);
}

json_t *tr_cli_world_object(const tr_client_world *w) {
    const tr_mapping *mapping = &tr_client_world_mapping;
    json_t *object = tr_view(mapping, w,
                             "id name mode paused tick time_s characters=character_count "
                             "objects=object_count lease_s recorded_as replay_of step_s rate seed "
                             "epoch subscribers=subscriber_count steppers=stepper_count "
                             "pending=pending_commands dropped_ticks on_fault=fault_rule "
                             "timed_ticks=lateness.ticks late_p50_s=lateness.p50_s "
                             "late_p99_s=lateness.p99_s late_max_s=lateness.max_s step_timeout_s "
                             "moved_from arriving processor_s over_budget contacts_dropped "
                             "searches_cut look_ahead");
    if (w->owner_leaves != TR_CLIENT_OWNER_LEAVES_DESTROY)
        json_object_set_new(object, "lease_s", json_null());
    return object;
}
