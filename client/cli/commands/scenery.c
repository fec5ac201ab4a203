#include "cli/output.h"

typedef struct values {
    const char *world;
} values;

static const char *kind_of(const tr_client_scenery *s) {
    return s->height_field ? "height field" : s->mesh ? "mesh" : s->patch ? "patch" : "box";
}

static json_t *object_of(const tr_client_scenery *s) {
    json_t *object = json_pack("{s:I, s:s, s:[f,f,f], s:[f,f,f,f], s:[f,f,f], s:f}", "id",
                               (json_int_t)s->id, "kind", kind_of(s), "pos", s->pos[0], s->pos[1],
                               s->pos[2], "rot", s->rot[0], s->rot[1], s->rot[2], s->rot[3], "size",
                               s->size[0], s->size[1], s->size[2], "friction", s->friction);
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
    .argument = {{"WORLD", TR_OPTION_TEXT, offsetof(values, world), "id or name"}},
    .values_size = sizeof(values),
    .run = run,
};
