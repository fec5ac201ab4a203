#include "cli/world_rows.h"

#include <string.h>

static const char *const mode_names[] = {"", "real-time", "stepped", "fast"};
enum { MODE_COUNT = sizeof mode_names / sizeof mode_names[0] };

const char *tr_cli_mode_name(tr_client_mode mode) {
    return (unsigned)mode < MODE_COUNT ? mode_names[mode] : "";
}

bool tr_cli_parse_mode(const char *text, tr_client_mode *out) {
    for (int i = 1; i < MODE_COUNT; ++i)
        if (strcmp(text, mode_names[i]) == 0) {
            *out = (tr_client_mode)i;
            return true;
        }
    return false;
}

static const char *const fault_rule_names[] = {"", "reset", "remove", "freeze"};
enum { FAULT_RULE_COUNT = sizeof fault_rule_names / sizeof fault_rule_names[0] };

static const char *fault_rule_name(tr_client_fault_rule rule) {
    return (unsigned)rule < FAULT_RULE_COUNT ? fault_rule_names[rule] : "";
}

bool tr_cli_parse_fault_rule(const char *text, tr_client_fault_rule *out) {
    for (int i = 1; i < FAULT_RULE_COUNT; ++i)
        if (strcmp(text, fault_rule_names[i]) == 0) {
            *out = (tr_client_fault_rule)i;
            return true;
        }
    return false;
}

json_t *tr_cli_world_object(const tr_client_world *w) {
    json_t *object =
        json_pack("{s:I, s:s, s:s, s:b, s:I, s:f, s:I, s:I}", "id", (json_int_t)w->id, "name",
                  w->name, "mode", tr_cli_mode_name(w->mode), "paused", w->paused, "tick",
                  (json_int_t)w->tick, "time_s", w->time_s, "characters",
                  (json_int_t)w->character_count, "objects", (json_int_t)w->object_count);
    json_t *rest = json_pack(
        "{s:f, s:f, s:o, s:I, s:I, s:I, s:I, s:I}", "step_s", w->step_s, "rate", w->rate, "seed",
        tr_output_unsigned(w->seed), "epoch", (json_int_t)w->epoch, "subscribers",
        (json_int_t)w->subscriber_count, "steppers", (json_int_t)w->stepper_count, "pending",
        (json_int_t)w->pending_commands, "dropped_ticks", (json_int_t)w->dropped_ticks);
    json_t *health = json_pack(
        "{s:s, s:I, s:f, s:f, s:f, s:f}", "on_fault", fault_rule_name(w->fault_rule), "timed_ticks",
        (json_int_t)w->lateness.ticks, "late_p50_s", w->lateness.p50_s, "late_p99_s",
        w->lateness.p99_s, "late_max_s", w->lateness.max_s, "step_timeout_s", w->step_timeout_s);
    bool leased = w->owner_leaves == TR_CLIENT_OWNER_LEAVES_DESTROY;
    json_object_set_new(object, "lease_s", leased ? json_real(w->lease_s) : json_null());
    json_object_set_new(object, "recorded_as", json_string(w->recorded_as));
    json_object_set_new(object, "replay_of", json_string(w->replay_of));
    json_object_update_missing(object, rest);
    json_object_update_missing(object, health);
    json_decref(rest);
    json_decref(health);
    return object;
}
