#include "cli/output.h"
#include "cli/view.h"

#include <string.h>

enum { NAME_MAX_BYTES = 48 };

typedef struct values {
    const char *action, *target, *name, *effort;
    int64_t seed;
} values;

static const values defaults = {.seed = 1};

static json_t *training_object(const void *training) {
    json_t *object = tr_view(&tr_client_training_mapping, training,
                             "training=name state clip effort done=share controller "
                             "began=started_unix_ns ended=ended_unix_ns seed last=detail");
    const tr_client_training *t = training;
    json_object_set_new(object, "effort", json_string(t->effort[0] ? t->effort : "normal"));
    json_object_set_new(object, "done", json_sprintf("%.0f %%", 100 * t->share));
    return object;
}

static int show_reply(tr_cli *cli, uint64_t request) {
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, request, &reply);
    return code ? code : tr_output_object(cli, training_object(&reply->training));
}

/* The file's name without its ending, in lower case, with '-' for what a name may not have. */
static void name_after(const char *clip, char out[NAME_MAX_BYTES]) {
    const char *dot = strrchr(clip, '.');
    size_t size = dot && dot != clip ? (size_t)(dot - clip) : strlen(clip);
    if (size > NAME_MAX_BYTES - 1)
        size = NAME_MAX_BYTES - 1;
    for (size_t i = 0; i < size; i++) {
        bool upper = clip[i] >= 'A' && clip[i] <= 'Z';
        bool plain = (clip[i] >= 'a' && clip[i] <= 'z') || (clip[i] >= '0' && clip[i] <= '9');
        out[i] = upper ? (char)(clip[i] - 'A' + 'a') : plain || clip[i] == '_' ? clip[i] : '-';
    }
    out[size] = '\0';
}

static int exec_start(tr_cli *cli, const values *v) {
    char name[NAME_MAX_BYTES];
    name_after(v->target, name);
    const tr_client_training_def def = {.clip = v->target,
                                        .name = v->name ? v->name : name,
                                        .effort = v->effort,
                                        .seed = (uint64_t)v->seed};
    return show_reply(cli, tr_client_start_training(cli->client, &def));
}

static int exec_stop(tr_cli *cli, const values *v) {
    return show_reply(cli, tr_client_stop_training(cli->client, v->target));
}

/* clips: the clips instead of the trainings */
static int list(tr_cli *cli, bool clips) {
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_list_trainings(cli->client), &reply);
    if (code)
        return code;
    json_t *rows = json_array();
    for (int i = 0; clips && i < reply->training_list.clip_count; i++)
        json_array_append_new(rows, json_pack("{s:s}", "clip", reply->training_list.clips[i]));
    for (int i = 0; !clips && i < reply->training_list.training_count; i++)
        json_array_append_new(rows, training_object(&reply->training_list.trainings[i]));
    return clips ? tr_output_list(cli, rows, "clip",
                                  "no clips; training.clips of the daemon's configuration names "
                                  "their folder")
                 : tr_output_list(cli, rows, "training state clip effort done controller last",
                                  reply->training_list.limit > 0
                                      ? "no trainings; 'troupe train start CLIP' starts one"
                                      : "no trainings; the daemon's configuration allows none");
}

static int exec_list(tr_cli *cli, const values *v) {
    (void)v;
    return list(cli, false);
}

static int exec_clips(tr_cli *cli, const values *v) {
    (void)v;
    return list(cli, true);
}

static const struct {
    const char *name, *target; /* target: NULL: takes no target */
    int (*exec)(tr_cli *cli, const values *v);
} actions[] = {{"start", "CLIP", exec_start},
               {"list", NULL, exec_list},
               {"clips", NULL, exec_clips},
               {"stop", "NAME", exec_stop}};

static int run(tr_cli *cli, const void *given) {
    const values *v = given;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (strcmp(actions[i].name, v->action) != 0)
            continue;
        if ((v->target != NULL) == (actions[i].target != NULL))
            return actions[i].exec(cli, v);
        return tr_cli_usage_error("train %s: expected %s after it", v->action,
                                  actions[i].target ? actions[i].target : "nothing");
    }
    return tr_cli_usage_error("train: expected start, list, clips or stop");
}

const tr_cli_command tr_cli_command_train = {
    .name = "train",
    .summary = "learn controllers from clips on the daemon's machine",
    .help =
        "start lets the daemon run 'troupe-train learn' on a clip of its folder (clips lists\n"
        "them). The training continues when this command ends. stop ends it after its round\n"
        "with its best controller; a second stop ends it at once. What was learned is in the\n"
        "catalogue when the training has ended. An interrupted training continues by the start\n"
        "that list prints; stop stores its best. The daemon's configuration sets the folder,\n"
        "and how many trainings may run; without a folder it refuses them.\n\n"
        "  troupe train clips\n"
        "  troupe train start jog.bvh --effort quick\n"
        "  troupe train list\n"
        "  troupe train stop jog",
    .argument = {{"ACTION", TR_OPTION_TEXT, offsetof(values, action), "start, list, clips or stop"},
                 {"[WHAT]", TR_OPTION_TEXT, offsetof(values, target),
                  "start: the clip; stop: the training"},
                 {"--name NAME", TR_OPTION_TEXT, offsetof(values, name),
                  "start: name of the controller [the clip's]"},
                 {"--effort E", TR_OPTION_TEXT, offsetof(values, effort),
                  "start: quick, normal or thorough [normal]"},
                 {"--seed N", TR_OPTION_INTEGER, offsetof(values, seed),
                  "start: seed of everything drawn [1]", 1, 0}},
    .defaults = &defaults,
    .values_size = sizeof(values),
    .run = run,
};
