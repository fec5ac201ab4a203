#include "cli/state_rows.h"

#include <stdio.h>

const char *tr_cli_character_condition(const tr_client_character *c) {
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
    for (int i = 0; i < count; ++i)
        json_array_append_new(
            rows, tr_output_floats(values + (size_t)i * (size_t)columns, (size_t)columns));
    json_object_set_new(object, key, rows);
}

/* The fragments that a scheduler considered, if one decides. */
static void set_choices(json_t *object, const tr_client_character *c) {
    if (c->choice_count == 0)
        return;
    json_t *choices = json_array();
    for (int i = 0; i < c->choice_count; i++) {
        const tr_client_choice *choice = &c->choices[i];
        json_array_append_new(choices, json_pack("{s:I, s:b, s:f}", "fragment",
                                                 (json_int_t)choice->fragment, "mirrored",
                                                 choice->mirrored, "value", (double)choice->value));
    }
    json_object_set_new(object, "choices", choices);
    json_object_set_new(object, "out_of_sequence", json_boolean(c->out_of_sequence));
}

/* What a gait answers, if one drives. */
static void set_felt(json_t *object, const tr_client_character *c) {
    if (c->learned_force[0] == 0 && c->learned_force[1] == 0)
        return;
    json_object_set_new(object, "felt_force", tr_output_floats(c->felt_force, 2));
    json_object_set_new(object, "learned_force", tr_output_floats(c->learned_force, 2));
}

static json_t *character_object(const tr_client_character *c) {
    json_t *object = json_pack(
        "{s:I, s:s, s:s, s:s, s:s, s:s, s:f, s:I, s:I, s:b, s:s, s:o, s:o}", "entity",
        (json_int_t)c->entity, "label", c->label, "model", c->model, "controller", c->controller,
        "next_controller", c->next_controller, "doing", c->doing, "phase", (double)c->phase,
        "fragment", (json_int_t)c->fragment, "fragments_done", (json_int_t)c->fragments_done,
        "mirrored", c->mirrored, "condition", tr_cli_character_condition(c), "root_pos",
        tr_output_floats(c->root_pos, 3), "root_rot", tr_output_floats(c->root_rot, 4));
    if (c->joint_rate) {
        json_object_set_new(object, "root_vel", tr_output_floats(c->root_vel, 3));
        json_object_set_new(object, "root_omega", tr_output_floats(c->root_omega, 3));
    }
    set_choices(object, c);
    set_felt(object, c);
    set_rows(object, "joint_rot", c->joint_rot, c->body_count, 4);
    set_rows(object, "joint_rate", c->joint_rate, c->body_count, 3);
    set_rows(object, "body_pos", c->body_pos, c->body_count, 3);
    set_rows(object, "body_rot", c->body_rot, c->body_count, 4);
    return object;
}

static json_t *object_object(const tr_client_object *o) {
    return json_pack("{s:I, s:s, s:o, s:o, s:o, s:o, s:b}", "entity", (json_int_t)o->entity, "name",
                     o->name, "pos", tr_output_floats(o->pos, 3), "rot",
                     tr_output_floats(o->rot, 4), "vel", tr_output_floats(o->vel, 3), "omega",
                     tr_output_floats(o->omega, 3), "frozen", o->frozen);
}

static json_t *contact_object(const tr_client_contact *c) {
    return json_pack("{s:[I,I], s:[i,i], s:o, s:o, s:f, s:o}", "entities", (json_int_t)c->entity[0],
                     (json_int_t)c->entity[1], "bodies", c->body[0], c->body[1], "pos",
                     tr_output_floats(c->pos, 3), "normal", tr_output_floats(c->normal, 3), "depth",
                     (double)c->depth, "impulse", tr_output_floats(c->impulse, 3));
}

json_t *tr_cli_state_object(const tr_client_state *state) {
    json_t *characters = json_array(), *objects = json_array(), *contacts = json_array();
    for (int i = 0; i < state->character_count; ++i)
        json_array_append_new(characters, character_object(&state->characters[i]));
    for (int i = 0; i < state->object_count; ++i)
        json_array_append_new(objects, object_object(&state->objects[i]));
    for (int i = 0; i < state->contact_count; ++i)
        json_array_append_new(contacts, contact_object(&state->contacts[i]));
    json_t *object = json_pack("{s:I, s:I, s:I, s:f, s:I, s:I, s:f, s:o, s:o}", "world",
                               (json_int_t)state->world, "epoch", (json_int_t)state->epoch, "tick",
                               (json_int_t)state->tick, "time_s", state->time_s, "dropped_states",
                               (json_int_t)state->dropped_states, "dropped_ticks",
                               (json_int_t)state->dropped_ticks, "lateness_s", state->lateness_s,
                               "characters", characters, "objects", objects);
    if (state->contact_count)
        json_object_set(object, "contacts", contacts);
    json_decref(contacts);
    if (state->hash)
        json_object_set_new(object, "hash", tr_output_hash(state->hash));
    return object;
}

static json_t *event_object(const tr_client_event *e) {
    json_t *object = json_pack("{s:s, s:I, s:I, s:I, s:I}", "event", tr_client_event_name(e->kind),
                               "world", (json_int_t)e->world, "tick", (json_int_t)e->tick, "epoch",
                               (json_int_t)e->epoch, "entity", (json_int_t)e->entity);
    json_t *rest =
        json_pack("{s:I, s:i, s:i, s:f, s:s, s:I, s:I, s:s}", "other", (json_int_t)e->other, "body",
                  e->body, "other_body", e->other_body, "magnitude", e->magnitude, "text", e->text,
                  "session", (json_int_t)e->session, "request_id", (json_int_t)e->request_id,
                  "status", tr_status_name(e->status));
    json_object_update_missing(object, rest);
    json_decref(rest);
    return object;
}

/* --- as lines --- */

static void print_line(json_t *take_object) {
    json_dumpf(take_object, stdout, TR_OUTPUT_JSON);
    putchar('\n');
    fflush(stdout);
    json_decref(take_object);
}

/* Prints a name of a peer without control characters. */
static void print_name(const char *text, int width) {
    int count = 0;
    for (; *text; ++text, ++count)
        putchar((unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text);
    printf("%*s", width > count ? width - count : 0, "");
}

void tr_cli_print_state(tr_cli *cli, const tr_client_state *state) {
    if (cli->json) {
        print_line(tr_cli_state_object(state));
        return;
    }
    for (int i = 0; i < state->character_count; ++i) {
        const tr_client_character *c = &state->characters[i];
        printf("%9.3f s  tick %-8lld %-8u ", state->time_s, (long long)state->tick, c->entity);
        print_name(c->label, 10);
        putchar(' ');
        print_name(c->controller, 14);
        printf(" fragment %-3u x %7.2f y %7.2f z %5.2f  %s\n", c->fragment, (double)c->root_pos[0],
               (double)c->root_pos[1], (double)c->root_pos[2], tr_cli_character_condition(c));
    }
    for (int i = 0; i < state->object_count; ++i) {
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
        print_name(e->text, 0);
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
