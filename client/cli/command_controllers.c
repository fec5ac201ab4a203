#include "listing.h"

typedef struct values {
    const char *name, *prefix, *skill, *model;
} values;

static json_t *summary(const tr_client_controller *c) {
    return json_pack("{s:s, s:s, s:s, s:I, s:f, s:b, s:b, s:f, s:s, s:s, s:s, s:s}", "name",
                     c->name, "skill", c->skill, "model", c->model, "fragments",
                     (json_int_t)c->fragment_count, "duration_s", c->duration_s, "cyclic",
                     c->cyclic, "mirrored", c->mirrored, "step_s", c->step_s, "gain_set",
                     c->gain_set, "run", c->run, "clip", c->clip, "digest", c->digest);
}

static json_t *row(const tr_client_reply *reply, int index) {
    return summary(&reply->controllers[index]);
}

static const tr_cli_listing listing = {.ask = tr_client_list_controllers,
                                       .row = row,
                                       .columns =
                                           "name skill model fragments duration_s cyclic run clip",
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
    json_object_set_new(object, "fragments", fragments_of(c));
    return tr_output_object(cli, object);
}

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    tr_client_query query = {.prefix = v->prefix, .skill = v->skill, .model = v->model};
    return v->name ? show(cli, v->name) : tr_cli_list(cli, &listing, &query);
}

const tr_cli_command tr_cli_command_controllers = {
    .name = "controllers",
    .summary = "the controllers that were learned, or one of them with its control fragments",
    .help = "A controller is an ordered chain of control fragments. For each fragment: its length, "
            "the strength of\n"
            "its feedback (Frobenius norm of M), its offset, and the root's height and speed where "
            "it begins.\n\n"
            "  troupe controllers\n"
            "  troupe controllers run\n"
            "  troupe controllers --skill walk --json",
    .argument = {{"[NAME]", TR_CLI_TEXT, offsetof(values, name), "show this one"},
                 {"--prefix TEXT", TR_CLI_TEXT, offsetof(values, prefix), "names that begin so"},
                 {"--skill NAME", TR_CLI_TEXT, offsetof(values, skill),
                  "controllers of this skill"},
                 {"--model NAME", TR_CLI_TEXT, offsetof(values, model),
                  "controllers of this model"}},
    .values_size = sizeof(values),
    .run = run,
};
