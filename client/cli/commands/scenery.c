#include "cli/output.h"
#include "cli/view.h"

typedef struct values {
    const char *world;
} values;

static const char *kind_of(const tr_client_scenery *s) {
    return s->height_field ? "height field" : s->mesh ? "mesh" : s->patch ? "patch" : "box";
}

static json_t *object_of(const tr_client_scenery *s) {
    json_t *object = tr_view(&tr_client_scenery_mapping, s, "id kind=patch pos rot size friction");
    json_object_set_new(object, "kind", json_string(kind_of(s)));
    if (s->height_field) {
        json_object_set_new(object, "columns", json_integer(s->height_field->columns));
        json_object_set_new(object, "rows", json_integer(s->height_field->rows));
        json_object_set_new(object, "spacing_m", json_real(s->height_field->spacing_m));
    }
    return object;
}

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    uint32_t world = 0;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_find_world(cli, v->world, &world);
    if (!code)
        code = tr_cli_ask(cli, tr_client_get_state(cli->client, world, TR_CLIENT_SHAPES), &reply);
    if (code)
        return code;
    json_t *rows = json_array();
    for (int i = 0; i < reply->state.scenery_count; i++)
        json_array_append_new(rows, object_of(&reply->state.scenery[i]));
    return tr_output_list(cli, rows, "id kind pos size friction",
                          "no scenery; 'troupe add-scenery' adds some");
}

const tr_cli_command tr_cli_command_scenery = {
    .name = "scenery",
    .summary = "list the scenery of a world",
    .help = "'troupe remove-scenery' removes a piece by its id.\n\n"
            "  troupe scenery arena",
    .argument = {TR_CLI_WORLD},
    .values_size = sizeof(values),
    .run = run,
};
