#include "cli/state_rows.h"

#include "cli/failure.h"
#include "cli/view.h"

#include <stdio.h>

/* The condition of a character: "up", "fallen", "limp", "ended" or "frozen". */
static const char *condition_of(const tr_client_character *c) {
    return c->frozen   ? "frozen"
           : c->limp   ? "limp"
           : c->fallen ? "fallen"
           : c->ended  ? "ended"
                       : "up";
}

/* --- as JSON --- */

static void set_rows(json_t *object, const char *key, const float *values, int count, int columns) {
    if (!values)
        return;
    json_t *rows = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(
            rows, tr_view_floats(values + (size_t)i * (size_t)columns, (size_t)columns));
    json_object_set_new(object, key, rows);
}

static json_t *character_object(const tr_client_character *c) {
    const tr_mapping *mapping = &tr_client_character_mapping;
    json_t *object = tr_view(mapping, c,
                             "entity label model controller next_controller doing phase fragment "
                             "fragments_done mirrored");
    json_object_set_new(object, "condition", json_string(condition_of(c)));
    tr_view_add(object, mapping, c, "root_pos root_rot");
    if (c->joint_rate)
        tr_view_add(object, mapping, c, "root_vel root_omega");
    if (c->choice_count > 0) /* a scheduler decides */
        tr_view_add(object, mapping, c, "choices{fragment mirrored value} out_of_sequence");
    if (c->learned_force[0] != 0 || c->learned_force[1] != 0) /* a gait drives */
        tr_view_add(object, mapping, c, "felt_force learned_force");
    if (c->way_count > 0) /* a skill was asked for */
        tr_view_add(object, mapping, c, "skill_in_s way");
    tr_view_add(object, mapping, c, "?shown{name unit value}");
    set_rows(object, "joint_rot", c->joint_rot, c->body_count, 4);
    set_rows(object, "joint_rate", c->joint_rate, c->body_count, 3);
    set_rows(object, "body_pos", c->body_pos, c->body_count, 3);
    set_rows(object, "body_rot", c->body_rot, c->body_count, 4);
    return object;
}

/* The whole state; arrays that were not requested are left out. */
static json_t *state_object(const tr_client_state *state) {
    json_t *object = tr_view(
        &tr_client_state_mapping, state,
        "world epoch tick time_s dropped_states dropped_ticks lateness_s characters{} "
        "objects{entity name pos rot vel omega frozen} "
        "?contacts{entities=entity0,entity1 bodies=body0,body1 pos normal depth impulse} ?hash");
    for (int i = 0; i < state->character_count; i++)
        json_array_set_new(json_object_get(object, "characters"), (size_t)i,
                           character_object(&state->characters[i]));
    return object;
}

static json_t *event_object(const tr_client_event *e) {
    json_t *object = json_pack("{s:s, s:I}", "event", tr_client_event_name(e->kind), "world",
                               (json_int_t)e->world);
    tr_view_add(object, &tr_client_event_mapping, e,
                "tick epoch entity other body other_body magnitude text session request_id "
                "status=code");
    return object;
}

/* --- as lines --- */

static void print_line(json_t *take_object) {
    json_dumpf(take_object, stdout, TR_OUTPUT_JSON);
    putchar('\n');
    fflush(stdout);
    json_decref(take_object);
}

static void print_name(const char *text, int width) {
    int count = tr_cli_print_plain(stdout, text);
    printf("%*s", width > count ? width - count : 0, "");
}

/* "  punch in 0.8 s by walk-slow", where a skill was asked for. */
static void print_way(const tr_client_character *c) {
    if (c->way_count == 0)
        return;
    printf("  ");
    tr_cli_print_plain(stdout, c->way[c->way_count - 1]);
    printf(" in %.1f s", (double)c->skill_in_s);
    for (int i = 0; i < c->way_count - 1; i++) {
        printf(i == 0 ? " by " : ", ");
        tr_cli_print_plain(stdout, c->way[i]);
    }
}

/* "  swings 0.25", and what else the controller's kind shows. */
static void print_shown(const tr_client_character *c) {
    for (int i = 0; i < c->shown_count; i++) {
        const tr_client_shown *shown = &c->shown[i];
        printf("  ");
        tr_cli_print_plain(stdout, shown->name);
        for (int k = 0; k < shown->count; k++)
            printf(" %.4g", (double)shown->value[k]);
        if (shown->unit[0])
            putchar(' ');
        tr_cli_print_plain(stdout, shown->unit);
    }
}

void tr_cli_print_state(tr_cli *cli, const tr_client_state *state) {
    if (cli->json) {
        print_line(state_object(state));
        return;
    }
    for (int i = 0; i < state->character_count; i++) {
        const tr_client_character *c = &state->characters[i];
        printf("%9.3f s  tick %-8lld %-8u ", state->time_s, (long long)state->tick, c->entity);
        print_name(c->label, 10);
        putchar(' ');
        print_name(c->controller, 14);
        printf(" fragment %-3u x %7.2f y %7.2f z %5.2f  %s", c->fragment, (double)c->root_pos[0],
               (double)c->root_pos[1], (double)c->root_pos[2], condition_of(c));
        print_way(c);
        print_shown(c);
        putchar('\n');
    }
    for (int i = 0; i < state->object_count; i++) {
        const tr_client_object *o = &state->objects[i];
        printf("%9.3f s  tick %-8lld %-8u ", state->time_s, (long long)state->tick, o->entity);
        print_name(o->name, 10);
        printf(" %-14s              x %7.2f y %7.2f z %5.2f\n", "object", (double)o->pos[0],
               (double)o->pos[1], (double)o->pos[2]);
    }
    if (state->character_count + state->object_count == 0)
        printf("%9.3f s tick %-8lld no characters\n", state->time_s, (long long)state->tick);
    fflush(stdout);
}

void tr_cli_print_event(tr_cli *cli, const tr_client_event *e) {
    if (cli->json) {
        print_line(event_object(e));
        return;
    }
    printf("tick %-8lld %s", (long long)e->tick, tr_client_event_name(e->kind));
    if (e->text[0]) {
        putchar(' ');
        tr_cli_print_plain(stdout, e->text);
    }
    if (e->entity)
        printf(", entity %u", e->entity);
    if (e->other)
        printf(" and %u", e->other);
    if (e->magnitude != 0)
        printf(", %.4g", e->magnitude);
    if (e->status)
        printf(", %s", tr_status_text(e->status));
    putchar('\n');
    fflush(stdout);
}
