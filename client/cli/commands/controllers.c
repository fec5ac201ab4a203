#include "cli/listing.h"

#include <string.h>

typedef struct values {
    const char *name, *prefix, *skill, *model;
} values;

static json_t *summary(const tr_client_controller *c) {
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:f, s:b, s:b, s:f, s:s, s:s, s:s, s:s}", "name",
                     c->name, "kind", c->kind, "skill", c->skill, "model", c->model, "fragments",
                     (json_int_t)c->fragment_count, "duration_s", c->duration_s, "cyclic",
                     c->cyclic, "mirrored", c->mirrored, "step_s", c->step_s, "gain_set",
                     c->gain_set, "run", c->run, "clip", c->clip, "digest", c->digest);
}

static json_t *row(const tr_client_reply *reply, int index) {
    return summary(&reply->controllers[index]);
}

static const tr_cli_listing listing = {
    .ask = tr_client_list_controllers,
    .row = row,
    .columns = "name skill model kind fragments duration_s cyclic run clip",
    .empty = "no controllers; 'troupe-train learn' makes them"};

static json_t *fragments_of(const tr_client_controller_detail *controller) {
    json_t *fragments = json_array();
    for (int i = 0; i < controller->fragment_count; ++i) {
        const tr_client_fragment *f = &controller->fragments[i];
        json_array_append_new(
            fragments, json_pack("{s:i, s:I, s:f, s:f, s:f, s:f, s:f, s:f}", "fragment", i, "steps",
                                 (json_int_t)f->steps, "duration_s", f->duration_s, "feedback",
                                 f->feedback_norm, "offset_rad", f->offset_norm_rad, "sigma_rad",
                                 f->sigma_norm_rad, "height_m", f->start_height_m, "speed_m_s",
                                 f->start_speed_m_s));
    }
    return fragments;
}

/* The largest force up to which every push was survived in 95 % of the trials, N. */
static double largest_force(const tr_client_pushes *pushes) {
    double largest = 0;
    for (size_t i = 0; i < pushes->count; ++i) {
        if (20 * (uint64_t)pushes->survived[i] < 19 * (uint64_t)pushes->trials[i])
            break;
        largest = pushes->force_n[i];
    }
    return largest;
}

static json_t *numbers(const uint32_t *all, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; ++i)
        json_array_append_new(array, json_integer(all[i]));
    return array;
}

static json_t *percent_survived(const tr_client_pushes *p) {
    json_t *array = json_array();
    for (size_t i = 0; i < p->count; ++i) {
        uint64_t trials = p->trials[i] ? p->trials[i] : 1;
        json_array_append_new(array,
                              json_integer((json_int_t)(100 * (uint64_t)p->survived[i] / trials)));
    }
    return array;
}

/* Without --json the shares of survivors, in percent; with --json the counts. */
static json_t *direction_row(const tr_cli *cli, const tr_client_pushes *p, int directions) {
    json_t *row = json_pack("{s:f, s:f}", "direction_deg", 360.0 * p->direction / directions,
                            "push95_n", largest_force(p));
    if (!cli->json) {
        json_object_set_new(row, "survived_percent", percent_survived(p));
        return row;
    }
    json_t *force = json_array();
    for (size_t i = 0; i < p->count; ++i)
        json_array_append_new(force, json_real(p->force_n[i]));
    json_object_set_new(row, "force_n", force);
    json_object_set_new(row, "survived", numbers(p->survived, p->count));
    json_object_set_new(row, "trials", numbers(p->trials, p->count));
    return row;
}

static json_t *directions_of(const tr_cli *cli, const tr_client_certificate *c) {
    json_t *rows = json_array();
    for (int i = 0; i < c->direction_count; ++i)
        json_array_append_new(rows, direction_row(cli, &c->pushes[i], c->direction_count));
    return rows;
}

/* Quantities of the whole and of few items; without --json, those of single trials are left out. */
static json_t *figures_of(const tr_cli *cli, const tr_client_certificate *c) {
    json_t *rows = json_array();
    for (int i = 0; i < c->figure_count; ++i) {
        const tr_client_figure *f = &c->figures[i];
        if (cli->json || !strstr(f->quantity, "_trial_"))
            json_array_append_new(rows, json_pack("{s:s, s:s, s:f}", "quantity", f->quantity,
                                                  "item", f->item, "value", f->value));
    }
    return rows;
}

/* Adds what the controller was shown to hold and survive; nothing without a certificate. */
static int add_certificate(tr_cli *cli, const char *name, json_t *object) {
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask_or_none(cli, tr_client_get_certificate(cli->client, name, 0), &reply);
    if (code || !reply)
        return code;
    const tr_client_certificate *c = &reply->certificate;
    json_object_set_new(object, "certificate_method", json_integer(c->method));
    json_object_set_new(object, "certificate_command", json_string(c->command));
    json_object_set_new(object, "certificate_seed", tr_output_unsigned(c->seed));
    json_object_set_new(object, "certificate_ended", tr_output_time(c->ended_ns));
    json_object_set_new(object, "certificate_digest", json_string(c->digest));
    json_object_set_new(object, "figures", figures_of(cli, c));
    json_object_set_new(object, "pushes", directions_of(cli, c));
    return TR_EXIT_OK;
}

static json_t *skills_of(const tr_client_controller_detail *controller) {
    json_t *skills = json_array();
    for (int i = 0; i < controller->skill_count; i++) {
        const tr_client_skill *s = &controller->skills[i];
        json_array_append_new(skills, json_pack("{s:s, s:I, s:I, s:b, s:f, s:f, s:f, s:f}", "skill",
                                                s->name, "first", (json_int_t)s->first_fragment,
                                                "fragments", (json_int_t)s->fragment_count,
                                                "cyclic", (int)s->cyclic, "speed_m_s", s->speed_m_s,
                                                "turn_rad_s", s->turn_rad_s, "faster_m_s",
                                                s->faster_m_s, "slower_m_s", s->slower_m_s));
    }
    return skills;
}

static json_t *edges_of(const tr_client_controller_detail *controller) {
    json_t *edges = json_array();
    for (int i = 0; i < controller->edge_count; i++) {
        const tr_client_skill_edge *e = &controller->edges[i];
        json_array_append_new(edges,
                              json_pack("{s:I, s:I, s:b}", "from", (json_int_t)e->from_fragment,
                                        "to", (json_int_t)e->to_fragment, "flips", (int)e->flips));
    }
    return edges;
}

static json_t *parameters_of(const tr_client_controller_detail *controller) {
    json_t *parameters = json_array();
    for (int i = 0; i < controller->parameter_count; i++) {
        const tr_client_parameter *p = &controller->parameters[i];
        json_array_append_new(parameters,
                              json_pack("{s:s, s:s, s:f, s:f, s:f, s:I, s:s}", "parameter", p->name,
                                        "unit", p->unit, "low", p->low, "high", p->high, "initial",
                                        p->initial, "count", (json_int_t)p->count, "meaning",
                                        p->meaning));
    }
    return parameters;
}

/* One text a shape, with its sizes in m: "cylinder 0.1 0.3". */
static json_t *shapes_of(const tr_client_rig_object *object) {
    static const struct {
        const char *name;
        int sizes;
    } kind[] = {[TR_CLIENT_SPHERE] = {"sphere", 1},
                [TR_CLIENT_CAPSULE] = {"capsule", 2},
                [TR_CLIENT_BOX] = {"box", 3},
                [TR_CLIENT_CYLINDER] = {"cylinder", 2}};
    json_t *shapes = json_array();
    for (int i = 0; i < object->geom_count; i++) {
        const tr_client_geom *g = &object->geoms[i];
        bool known = g->kind >= TR_CLIENT_SPHERE && g->kind <= TR_CLIENT_CYLINDER;
        json_t *shape = json_string(known ? kind[g->kind].name : "unknown");
        for (int k = 0; known && shape && k < kind[g->kind].sizes; k++) {
            json_t *longer = json_sprintf("%s %g", json_string_value(shape), g->size[k]);
            json_decref(shape);
            shape = longer;
        }
        json_array_append_new(shapes, shape);
    }
    return shapes;
}

static json_t *rig_of(const tr_client_controller_detail *controller) {
    json_t *rig = json_array();
    for (int i = 0; i < controller->rig_count; i++) {
        const tr_client_rig_object *o = &controller->rig[i];
        json_array_append_new(rig,
                              json_pack("{s:s, s:f, s:f, s:[fff], s:o}", "object", o->name,
                                        "mass_kg", o->mass, "density", o->density, "pos", o->pos[0],
                                        o->pos[1], o->pos[2], "shapes", shapes_of(o)));
    }
    return rig;
}

static json_t *pins_of(const tr_client_controller_detail *controller) {
    json_t *pins = json_array();
    for (int i = 0; i < controller->rig_pin_count; i++) {
        const tr_client_rig_pin *p = &controller->rig_pins[i];
        json_array_append_new(pins,
                              json_pack("{s:s, s:s, s:s, s:f}", "pin", p->kind, "first", p->first,
                                        "second", p->second, "break_n", p->break_n));
    }
    return pins;
}

static int show(tr_cli *cli, const char *name) {
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_get_controller(cli->client, name), &reply);
    if (code)
        return code;
    const tr_client_controller_detail *c = &reply->controller;
    json_t *object = summary(&c->summary);
    json_object_del(object, "fragments");
    json_object_set_new(object, "hash", tr_output_hash(c->hash));
    json_object_set_new(object, "action_size", json_integer(c->action_size));
    json_object_set_new(object, "action_joints",
                        tr_output_texts(c->action_joints, c->action_joint_count));
    json_object_set_new(object, "entries", json_integer(c->entry_count));
    json_object_set_new(object, "recovers", json_boolean(c->recovers));
    json_object_set_new(object, "fragments", fragments_of(c));
    json_object_set_new(object, "skills", skills_of(c));
    json_object_set_new(object, "parameters", parameters_of(c));
    if (c->rig_count > 0) {
        json_object_set_new(object, "rig", rig_of(c));
        json_object_set_new(object, "rig_pins", pins_of(c));
    }
    if (c->edge_count > 0)
        json_object_set_new(object, "edges", edges_of(c));
    code = add_certificate(cli, name, object);
    if (code) {
        json_decref(object);
        return code;
    }
    return tr_output_object(cli, object);
}

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    tr_client_query query = {.prefix = v->prefix, .skill = v->skill, .model = v->model};
    return v->name ? show(cli, v->name) : tr_cli_list(cli, &listing, &query);
}

const tr_cli_command tr_cli_command_controllers = {
    .name = "controllers",
    .summary = "list the controllers, or show one with its certificate",
    .help =
        "A controller drives characters in one of several ways, its kind: a chain of control "
        "fragments, a graph of\n"
        "skills, a gait, ... Parameters are what 'troupe set' changes. For each fragment: its "
        "length, "
        "the strength of\n"
        "its feedback (Frobenius norm of M), its offset, and the root's height and speed where "
        "it begins.\n"
        "For each skill (one, or those of a control graph) the speed and the heading rate that it "
        "can be steered to\n"
        "('troupe steer'); 0 is not at all.\n"
        "Then what it was shown to hold and survive, when it was certified: figures, and for "
        "each direction of\n"
        "pushes the largest that 95 % survive and the shares by force ('troupe-train "
        "certificate' draws it).\n\n"
        "  troupe controllers\n"
        "  troupe controllers run\n"
        "  troupe controllers --skill walk --json",
    .argument = {{"[NAME]", TR_OPTION_TEXT, offsetof(values, name), "the controller to show"},
                 {"--prefix TEXT", TR_OPTION_TEXT, offsetof(values, prefix), "prefix of the names"},
                 {"--skill NAME", TR_OPTION_TEXT, offsetof(values, skill),
                  "controllers of this skill"},
                 {"--model NAME", TR_OPTION_TEXT, offsetof(values, model),
                  "controllers of this model"}},
    .values_size = sizeof(values),
    .run = run,
};
