/* troupe-train mirror: a controller that does on the right what one of the catalogue does on the
 * left. */
#include "db/store/catalogue.h"
#include "tools/frame/subject.h"
#include "tools/frame/tool.h"

#include <stdio.h>

typedef struct options {
    const char *controller, *catalogue, *name;
} options;

static const tr_argument words[] = {
    {"CONTROLLER", TR_OPTION_TEXT, offsetof(options, controller), "of the catalogue"},
    {"--catalogue FILE", TR_OPTION_TEXT, offsetof(options, catalogue),
     "holds the controller, and is written", .needed = true},
    {"--name NAME", TR_OPTION_TEXT, offsetof(options, name),
     "of the mirror image, and of its skill", 1, TR_NAME_MAX - 1, .needed = true},
    {0}};

/* Stores it with the run and the clip of the controller that it mirrors. */
static tr_status put_image(tr_catalogue *catalogue, const options *o, const tr_controller_row *row,
                           tr_controller *image, tr_error *error) {
    tr_controller_entry entry = {image, row->model_id, row->run_id, row->clip_id};
    tr_row_id id = 0;
    snprintf(image->name, sizeof image->name, "%s", o->name);
    snprintf(image->skill, sizeof image->skill, "%s", o->name);
    tr_status status = tr_controllers_put(catalogue, &entry, &id, error);
    if (!status)
        printf("controller '%s', the mirror image of '%s', is in %s\n", image->name, row->name,
               o->catalogue);
    return status;
}

static tr_status mirror(tr_catalogue *catalogue, const void *context, tr_error *error) {
    const options *o = context;
    tr_subject of = {0};
    tr_controller *image = NULL;
    tr_status status = tr_subject_load(catalogue, o->controller, &of, error);
    if (!status && (status = tr_controller_mirror(of.controller, of.model, &image)))
        status = tr_fail(error, status, "controller '%s': %s", of.row.name, tr_status_text(status));
    if (!status)
        status = put_image(catalogue, o, &of.row, image, error);
    tr_controller_destroy(image);
    tr_subject_deinit(&of);
    return status;
}

const tr_tool_command tr_tool_mirror = {
    .name = "mirror",
    .summary = "mirror a controller: make a right turn from a left turn",
    .help =
        "Exchanges left and right in targets, policies, reference states and steering. The new\n"
        "controller keeps the clip and the training run of the old one.\n",
    .example = "  troupe-train mirror turn-left --name turn-right --catalogue mine.troupe\n",
    .options = sizeof(options),
    .argument = words,
    .on = {offsetof(options, catalogue), TR_CATALOGUE_WRITE, mirror},
};
