#include "cli/listing.h"

typedef struct values {
    const char *name, *prefix;
} values;

static const tr_cli_listing listing = {.ask = tr_client_list_models,
                                       .mapping = &tr_client_model_mapping,
                                       .words = "name bodies=body_count dof=dof_count digest",
                                       .columns = "name bodies dof digest",
                                       .empty = "no models; 'troupe-train' or a bundle adds them"};

static void name_parents(const tr_client_model_detail *model, json_t *bodies) {
    for (int i = 0; i < model->body_count; i++) {
        int parent = model->bodies[i].parent;
        bool named = parent >= 0 && parent < model->body_count;
        json_object_set_new(json_array_get(bodies, (size_t)i), "parent",
                            json_string(named ? model->bodies[parent].name : ""));
    }
}

static int show(tr_cli *cli, const char *name) {
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_get_model(cli->client, name), &reply);
    if (code)
        return code;
    json_t *object = tr_view(
        &tr_client_model_detail_mapping, &reply->model,
        "name=summary.name digest=summary.digest hash mass_kg height_m dof=summary.dof_count "
        "gain_sets bodies{#index name parent mass_kg}");
    name_parents(&reply->model, json_object_get(object, "bodies"));
    if (cli->json)
        tr_view_add(object, &tr_client_model_detail_mapping, &reply->model, "mjcf");
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
