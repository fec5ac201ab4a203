/* troupe-train balance join: a controller with a balance beside it, for a scheduler. */
#include "control/pair/pair.h"
#include "control/postures/postures.h"
#include "control/recovery/recovery.h"
#include "control/torque/torque.h"
#include "db/tables/controllers.h"
#include "tools/balance/balance_tool.h"
#include "tools/frame/lead.h"
#include "tools/frame/subject.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double ENTRY_S = 0.1;

typedef struct options {
    const char *name, *catalogue, *with, *as;
} options;

static const tr_argument words[] = {
    {"NAME", TR_OPTION_TEXT, offsetof(options, name), "the first controller"},
    {"--catalogue F", TR_OPTION_TEXT, offsetof(options, catalogue), "holds both, and is written",
     .needed = true},
    {"--with BALANCE", TR_OPTION_TEXT, offsetof(options, with),
     "of the catalogue, learned with object = ground, or of 'balance momentum'", .needed = true},
    {"--as NEW", TR_OPTION_TEXT, offsetof(options, as), "name of the new controller", 1,
     TR_NAME_MAX - 1, .needed = true},
    {0}};

/* The balance in entries as long as control fragments; a momentum balance has such entries. */
static tr_status make_entries(const options *o, tr_controller *beside, tr_error *error) {
    if (beside->driver.kind == &tr_torque_kind)
        return TR_OK;
    if (beside->driver.kind != &tr_balance_kind)
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "--with: '%s' does not balance; 'balance learn' and 'balance momentum' make such "
            "controllers",
            o->with);
    const double look_s = tr_balance_of(beside)->hold * beside->step_s;
    const tr_postures_def def = {.looks = (int)fmax(1, round(ENTRY_S / look_s))};
    return tr_postures_add(beside, &def, error);
}

static tr_status store(const options *o, tr_catalogue *catalogue, const tr_subject *subject,
                       tr_error *error) {
    tr_row_id id = 0;
    snprintf(subject->controller->name, sizeof subject->controller->name, "%s", o->as);
    const tr_controller_entry entry = {subject->controller, subject->row.model_id,
                                       subject->row.run_id, 0};
    tr_status status = tr_controllers_put(catalogue, &entry, &id, error);
    if (!status)
        printf("controller '%s', '%s' with '%s' beside it, is in %s\n", o->as, o->name, o->with,
               o->catalogue);
    return status;
}

static tr_status join(const options *o, tr_catalogue *catalogue, tr_subject *subject,
                      tr_subject *beside, tr_error *error) {
    tr_status status = tr_subject_load(catalogue, o->name, subject, error);
    if (!status)
        status = tr_subject_load(catalogue, o->with, beside, error);
    if (!status)
        status = make_entries(o, beside->controller, error);
    if (!status)
        tr_recovery_remove(subject->controller); /* loading adds it again around the pair */
    if (!status)
        status = tr_pair_add(subject->controller, beside->controller, subject->model, error);
    return status ? status : store(o, catalogue, subject, error);
}

static tr_status load_and_join(tr_catalogue *catalogue, const void *context, tr_error *error) {
    tr_subject subject = {0}, beside = {0};
    tr_status status = join(context, catalogue, &subject, &beside, error);
    tr_subject_deinit(&beside);
    tr_subject_deinit(&subject);
    return status;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    return tr_lead_change_catalogue(o->catalogue, TR_CATALOGUE_WRITE, load_and_join, o, error);
}

const tr_tool_command tr_tool_balance_join = {
    .name = "join",
    .summary = "put a balance on the ground beside a controller, for a scheduler",
    .help = "NAME is a chain or a control graph. NEW has its entries, and one of 0.1 s in which "
            "BALANCE\n"
            "holds its stance (skill 'stance'). Alone it does what NAME does; a scheduler chooses "
            "among\n"
            "all entries ('troupe-train schedule learn').\n",
    .example =
        "  troupe-train balance join locomotion --with standing --as locomotion-standing \\\n"
        "    --catalogue mine.troupe\n",
    .options = sizeof(options),
    .argument = words,
    .run = run,
};
