#include "cli/listing.h"

typedef struct values {
    const char *name, *prefix;
} values;

static json_t *row(const tr_client_reply *reply, int index) {
    const tr_client_model *m = &reply->models[index];
    return json_pack("{s:s, s:I, s:I, s:s}", "name", m->name, "bodies", (json_int_t)m->body_count,
                     "dof", (json_int_t)m->dof_count, "digest", m->digest);
}

static const tr_cli_listing listing = {.ask = tr_client_list_models,
                                       .row = row,
                                       .columns = "name bodies dof digest",
                                       .empty = "no models; 'troupe-train' or a bundle adds them"};

static json_t *bodies_of(const tr_client_model_detail *model) {
    json_t *bodies = json_array();
    for (int i = 0; i < model->body_count; ++i) {
        const tr_client_body *b = &model->bodies[i];
        const char *parent =
            b->parent >= 0 && b->parent < model->body_count ? model->bodies[b->parent].name : "";
        json_array_append_new(bodies, json_pack("{s:i, s:s, s:s, s:f}", "index", i, "name", b->name,
                                                "parent", parent, "mass_kg", b->mass_kg));
    }
    return bodies;
}

static int show(tr_cli *cli, const char *name) {
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_get_model(cli->client, name), &reply);
    if (code)
        return code;
    const tr_client_model_detail *m = &reply->model;
    json_t *object =
        json_pack("{s:s, s:s, s:o, s:f, s:f, s:I, s:o, s:o}", "name", m->summary.name, "digest",
                  m->summary.digest, "hash", tr_output_hash(m->hash), "mass_kg", m->mass_kg,
                  "height_m", m->height_m, "dof", (json_int_t)m->summary.dof_count, "gain_sets",
                  tr_output_texts(m->gain_sets, m->gain_set_count), "bodies", bodies_of(m));
    if (cli->json)
        json_object_set_new(object, "mjcf", json_string(m->mjcf));
    return tr_output_object(cli, object);
}

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    return v->name ? show(cli, v->name)
                   : tr_cli_list(cli, &listing, &(tr_client_query){.prefix = v->prefix});
}

const tr_cli_command tr_cli_command_models = {
    .name = "models",
    .summary = "list the character models, or show one with its bodies",
    .help = "A model is an MJCF file from which the daemon makes characters. --json includes its\n"
            "text.\n\n"
            "  troupe models\n"
            "  troupe models humanoid",
    .argument = {{"[NAME]", TR_OPTION_TEXT, offsetof(values, name), "the model to show"},
                 {"--prefix TEXT", TR_OPTION_TEXT, offsetof(values, prefix),
                  "prefix of the names"}},
    .values_size = sizeof(values),
    .run = run,
};
