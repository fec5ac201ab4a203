#include "cli/listing.h"

#include <stdio.h>
#include <string.h>

typedef struct values {
    const char *name, *prefix, *skill, *model;
    bool all;
} values;

/* --- the list --- */

/* Sections of the guide in the order of the table; a controller without one was learned here. */
static const char *const sections[] = {"characters", "",         "skills", "tasks",
                                       "puppets",    "examples", "gallery"};
enum { SECTION_COUNT = sizeof sections / sizeof *sections };

static const char *section_of(json_t *row) {
    return json_string_value(json_object_get(row, "section"));
}

static bool is_known(const char *section) {
    for (int i = 0; i < SECTION_COUNT; i++)
        if (strcmp(section, sections[i]) == 0)
            return true;
    return false;
}

static void append_section(json_t *to, json_t *rows, const char *section) {
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row) {
        bool other = !section && !is_known(section_of(row));
        if (other || (section && strcmp(section_of(row), section) == 0))
            json_array_append(to, row);
    }
}

/* By the first `count` sections; those that the guide does not know come last. */
static json_t *arrange(json_t *take_rows, int count) {
    json_t *arranged = json_array();
    for (int i = 0; i < count; i++)
        append_section(arranged, take_rows, sections[i]);
    append_section(arranged, take_rows, NULL);
    json_decref(take_rows);
    return arranged;
}

static json_t *arrange_all(json_t *take_rows) {
    return arrange(take_rows, SECTION_COUNT);
}

static json_t *arrange_without_gallery(json_t *take_rows) {
    return arrange(take_rows, SECTION_COUNT - 1);
}

static tr_cli_listing listing_of(bool all) {
    return (tr_cli_listing){
        .ask = tr_client_list_controllers,
        .mapping = &tr_client_controller_mapping,
        .words = "section name purpose kind skill model fragments=fragment_count duration_s cyclic "
                 "mirrored step_s gain_set run clip digest",
        .columns = "section name purpose",
        .empty = "no controllers; 'troupe-train learn' makes them",
        .arrange = all ? arrange_all : arrange_without_gallery};
}

/* --- one controller --- */

/* The largest force up to which every push was survived in 95 % of the trials, N. */
static double largest_force(const tr_client_pushes *pushes) {
    double largest = 0;
    for (size_t i = 0; i < pushes->count; i++) {
        if (20 * (uint64_t)pushes->survived[i] < 19 * (uint64_t)pushes->trials[i])
            break;
        largest = pushes->force_n[i];
    }
    return largest;
}

static json_t *percent_survived(const tr_client_pushes *p) {
    json_t *array = json_array();
    for (size_t i = 0; i < p->count; i++) {
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
    tr_view_add(row, &tr_client_pushes_mapping, p, "force_n survived trials");
    return row;
}

static json_t *directions_of(const tr_cli *cli, const tr_client_certificate *c) {
    json_t *rows = json_array();
    for (int i = 0; i < c->direction_count; i++)
        json_array_append_new(rows, direction_row(cli, &c->pushes[i], c->direction_count));
    return rows;
}

/* Quantities of the whole and of few items; without --json, those of single trials are left out. */
static json_t *figures_of(const tr_cli *cli, const tr_client_certificate *c) {
    json_t *rows = json_array();
    for (int i = 0; i < c->figure_count; i++) {
        const tr_client_figure *f = &c->figures[i];
        if (cli->json || !strstr(f->quantity, "_trial_"))
            json_array_append_new(rows,
                                  tr_view(&tr_client_figure_mapping, f, "quantity item value"));
    }
    return rows;
}

static int ask(tr_cli *cli, const char *name, const char *skill, const tr_client_reply **out) {
    return tr_cli_ask_or_none(cli, tr_client_get_skill_certificate(cli->client, name, skill, 0),
                              out);
}

/* Falls of random walks over all skills; nothing without a certificate of them. */
static int add_walks(tr_cli *cli, const char *name, json_t *object) {
    const tr_client_reply *reply = NULL;
    int code = ask(cli, name, "*", &reply);
    if (!code && reply)
        json_object_set_new(object, "walks", figures_of(cli, &reply->certificate));
    return code;
}

/* Adds what the controller was shown to hold and survive; nothing without a certificate. */
static int add_certificate(tr_cli *cli, const char *name, const char *skill, json_t *object) {
    const tr_client_reply *reply = NULL;
    int code = ask(cli, name, skill ? skill : "", &reply);
    if (code || !reply)
        return code;
    const tr_client_certificate *c = &reply->certificate;
    tr_view_add(object, &tr_client_certificate_mapping, c,
                "certificate_method=method certificate_command=command certificate_seed=seed "
                "certificate_ended=ended_unix_ns certificate_digest=digest");
    json_object_set_new(object, "figures", figures_of(cli, c));
    json_object_set_new(object, "pushes", directions_of(cli, c));
    return TR_EXIT_OK;
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
        char text[96];
        int used = snprintf(text, sizeof text, "%s", known ? kind[g->kind].name : "unknown");
        for (int k = 0; known && k < kind[g->kind].sizes; k++)
            used += snprintf(text + used, sizeof text - (size_t)used, " %g", g->size[k]);
        json_array_append_new(shapes, json_string(text));
    }
    return shapes;
}

static json_t *object_of(const tr_client_controller_detail *c) {
    json_t *object = tr_view(
        &tr_client_controller_detail_mapping, c,
        "name=summary.name section=summary.section purpose=summary.purpose kind=summary.kind "
        "skill=summary.skill model=summary.model "
        "duration_s=summary.duration_s cyclic=summary.cyclic mirrored=summary.mirrored "
        "step_s=summary.step_s gain_set=summary.gain_set run=summary.run clip=summary.clip "
        "digest=summary.digest hash action_size action_joints entries=entry_count recovers "
        "steers_to_heading=reach.heading steers_to_place=reach.place slowest_m_s=reach.slowest_m_s "
        "fastest_m_s=reach.fastest_m_s kinematic=reach.kinematic "
        "fragments{#fragment steps duration_s feedback=feedback_norm offset_rad=offset_norm_rad "
        "sigma_rad=sigma_norm_rad height_m=start_height_m speed_m_s=start_speed_m_s} "
        "skills{skill=name first=first_fragment fragments=fragment_count cyclic speed_m_s "
        "turn_rad_s faster_m_s slower_m_s on_request tags summary} "
        "parameters{parameter=name unit low high initial count meaning} "
        "?rig{object=name mass_kg=mass density pos} ?rig_pins{pin=kind first second break_n} "
        "?edges{from=from_fragment to=to_fragment flips}");
    for (int i = 0; i < c->rig_count; i++)
        json_object_set_new(json_array_get(json_object_get(object, "rig"), (size_t)i), "shapes",
                            shapes_of(&c->rig[i]));
    return object;
}

static int show(tr_cli *cli, const char *name, const char *skill) {
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_get_controller(cli->client, name, ""), &reply);
    if (code)
        return code;
    if (strcmp(reply->controller.summary.name, name) != 0)
        fprintf(stderr, "troupe: '%s' is now called '%s'\n", name, reply->controller.summary.name);
    json_t *object = object_of(&reply->controller);
    code = add_certificate(cli, name, skill, object);
    if (!code && !skill)
        code = add_walks(cli, name, object);
    if (code) {
        json_decref(object);
        return code;
    }
    return tr_output_object(cli, object);
}

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    tr_client_query query = {.prefix = v->prefix, .skill = v->skill, .model = v->model};
    tr_cli_listing listing = listing_of(v->all);
    return v->name ? show(cli, v->name, v->skill) : tr_cli_list(cli, &listing, &query);
}

const tr_cli_command tr_cli_command_controllers = {
    .name = "controllers",
    .summary = "list the controllers, or show one with its certificate",
    .help =
        "The list has the sections of the catalogue's guide and a line on what each controller is "
        "for;\n"
        "--json has all columns.\n\n"
        "A controller drives characters in one of several ways, its kind: a chain of control "
        "fragments, a graph of\n"
        "skills, a gait, ... Parameters are what 'troupe set' changes. For each fragment: its "
        "length, "
        "the strength of\n"
        "its feedback (Frobenius norm of M), its offset, and the root's height and speed where "
        "it begins.\n"
        "For each skill (one, or those of a control graph) its speed and the heading rate that it "
        "can be steered to.\n"
        "'troupe steer' takes a heading or a place, a speed from slowest to fastest, and a skill "
        "on_request, as far as\n"
        "shown here; forces do not move a kinematic character.\n"
        "A certified controller also shows its certificate: figures, and for each direction of "
        "pushes the\n"
        "largest force that 95 % survive and the shares by force ('troupe-train certificate' draws "
        "it).\n"
        "--skill shows the certificate of another skill of a graph. A graph also shows the falls "
        "on random\n"
        "walks over all its skills.\n\n"
        "  troupe controllers\n"
        "  troupe controllers run\n"
        "  troupe controllers hero --skill run\n"
        "  troupe controllers --skill walk --json",
    .argument = {{"[NAME]", TR_OPTION_TEXT, offsetof(values, name), "the controller to show"},
                 {"--prefix TEXT", TR_OPTION_TEXT, offsetof(values, prefix), "prefix of the names"},
                 {"--skill NAME", TR_OPTION_TEXT, offsetof(values, skill),
                  "controllers of this skill; with NAME: its certificate of this skill"},
                 {"--model NAME", TR_OPTION_TEXT, offsetof(values, model),
                  "controllers of this model"},
                 {"--all", TR_OPTION_FLAG, offsetof(values, all), "list the gallery too"}},
    .values_size = sizeof(values),
    .run = run,
};
