/* troupe-train character: from a folder of clips to a character that a daemon serves. */
#include "tools/character/character.h"

#include "learn/method/task_file.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHARACTER_NAME_BYTES_MAX = 20 };

/* --- settings --- */

#define AT(field) offsetof(tr_character_settings, field)
static const tr_parameter rows[] = {
    {"effort", TR_NAME, AT(effort), 0, 0, "normal",
     "of each training: quick, normal (of what is no walk or run quick) or thorough"},
    {"names", TR_TEXT, AT(names), 0, 0, "", "SKILL=NAME,...: other names of skills"},
    {"without", TR_TEXT, AT(without), 0, 0, "", "SKILL,...: skills that are left out"},
    {"steering", TR_COUNT, AT(steering), 0, 10000, "20",
     "generations of the search for steering of each gait (20); 0: none"},
    {"walks", TR_COUNT, AT(walks), 0, 1000, "20",
     "random walks of ten minutes in the certificate (20); 0: no certificate"},
    {"licence", TR_TEXT, AT(licence), 0, 0, "", "of the clips, for the records"},
    {"origin", TR_TEXT, AT(origin), 0, 0, "", "of the clips, for the records"},
    {"base", TR_NAME, AT(base), 0, 0, "hero",
     "graph of the shipped bundle by whose skills it stands, gets up, starts and stops"},
    {"learn", TR_TEXT, AT(learn), 0, 0, "", "NAME=VALUE,...: settings of each training"},
    {"graph", TR_TEXT, AT(graph), 0, 0, "", "NAME=VALUE,...: settings of each making of a graph"},
};
const tr_parameter_table tr_character_settings_table = {.row = rows,
                                                        .count = sizeof rows / sizeof *rows};

/* --- the command line --- */

typedef struct options {
    const char *folder, *name, *out, *bundle;
    int threads;
    bool plans_only, list;
} options;

static const options defaults = {.bundle = TR_SHIPPED_BUNDLE};

static const tr_argument words[] = {
    {"[FOLDER]", TR_OPTION_TEXT, offsetof(options, folder),
     "clips, and character.task if it is there"},
    {"--name NAME", TR_OPTION_TEXT, offsetof(options, name), "of the character (the folder's)"},
    {"--out BUNDLE", TR_OPTION_TEXT, offsetof(options, out), "write it here (FOLDER/NAME.troupe)"},
    {"--bundle FILE", TR_OPTION_TEXT, offsetof(options, bundle),
     "has the base (the shipped bundle)"},
    {"--plan", TR_OPTION_FLAG, offsetof(options, plans_only),
     "print the skills, and learn nothing"},
    {"--list", TR_OPTION_FLAG, offsetof(options, list),
     "print the settings of character.task with their defaults and meanings"},
    TR_TOOL_THREADS(options, threads),
    {0}};

/* --- where it works --- */

/* The character is called as its folder, unless a name is given. */
static tr_status name_character(const options *o, const char *folder, tr_character_work *c,
                                tr_error *error) {
    const char *slash = strrchr(folder, '/'), *name = o->name ? o->name : slash + 1;
    if (!*name || strlen(name) > CHARACTER_NAME_BYTES_MAX || strpbrk(name, " ,=/#"))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--name '%s': expected 1 to %d bytes without blanks and any of ,=/#", name,
                       CHARACTER_NAME_BYTES_MAX);
    snprintf(c->name, sizeof c->name, "%s", name);
    snprintf(c->catalogue, sizeof c->catalogue, "%s.db", name);
    return TR_OK;
}

/* Paths that the user gave are of the folder where the command began. */
static tr_status absolute(const char *path, char out[static TR_CHARACTER_PATH_MAX],
                          tr_error *error) {
    char here[TR_CHARACTER_PATH_MAX] = "";
    const bool is = path[0] == '/' || getcwd(here, sizeof here);
    const int length =
        snprintf(out, TR_CHARACTER_PATH_MAX, path[0] == '/' ? "%s%s" : "%s/%s", here, path);
    return is && length > 0 && length < TR_CHARACTER_PATH_MAX
               ? TR_OK
               : tr_fail(error, TR_INVALID_ARGUMENT, "%s: the path is too long", path);
}

static tr_status read_settings(const char *folder, tr_character_work *c, tr_error *error) {
    char path[TR_CHARACTER_PATH_MAX + 16];
    tr_plan_effort effort;
    tr_parameter_reset(&tr_character_settings_table, &c->settings);
    snprintf(path, sizeof path, "%s/character.task", folder);
    tr_status status = access(path, F_OK) != 0 ? TR_OK
                                               : tr_task_file_read(&tr_character_settings_table,
                                                                   &c->settings, path, error);
    if (!status && !tr_plan_effort_find(c->settings.effort, &effort))
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "%s: effort '%s': expected quick, normal or thorough", path,
                         c->settings.effort);
    return status;
}

/* Enters FOLDER/NAME.work, which is made if missing. */
static tr_status enter(const options *o, tr_character_work *c, tr_error *error) {
    char *folder = realpath(o->folder, NULL), work[TR_CHARACTER_PATH_MAX];
    if (!folder)
        return tr_fail(error, TR_NOT_FOUND, "%s: %s", o->folder, strerror(errno));
    tr_status status = name_character(o, folder, c, error);
    if (!status)
        status = read_settings(folder, c, error);
    if (!status && strcmp(c->name, c->settings.base) == 0)
        status = tr_fail(error, TR_ALREADY_EXISTS, "--name '%s': the base has this name", c->name);
    if (!status && o->out)
        status = absolute(o->out, c->out, error);
    else
        snprintf(c->out, sizeof c->out, "../%s.troupe", c->name);
    const int length = snprintf(work, sizeof work, "%s/%s.work", folder, c->name);
    if (!status && (length < 0 || (size_t)length >= sizeof work))
        status = tr_fail(error, TR_INVALID_ARGUMENT, "%s: the path is too long", o->folder);
    if (!status && ((mkdir(work, 0777) != 0 && errno != EEXIST) || chdir(work) != 0))
        status = tr_fail(error, TR_PERMISSION_DENIED, "%s: %s", work, strerror(errno));
    free(folder);
    return status;
}

/* --- all --- */

static tr_status make(const options *o, tr_character_work *c, tr_error *error) {
    char bundle[TR_CHARACTER_PATH_MAX];
    tr_status status = absolute(o->bundle, bundle, error);
    c->bundle = bundle;
    c->threads = o->threads;
    c->began_s = tr_wall_seconds();
    if (!status)
        status = enter(o, c, error);
    if (!status)
        status = tr_character_survey(c, error);
    if (status || o->plans_only)
        return status ? status : tr_character_print(c, error);
    status = tr_character_make(c, error);
    /* The table says after a failure too what is there. */
    tr_status printed = tr_character_print(c, status ? NULL : error);
    if (!status && !printed)
        printf("\n%s: written; 'troupe bundle add' serves it, 'troupe spawn' makes the character "
               "'%s'\n",
               c->out[0] == '/' ? c->out : c->out + 3, c->name);
    return status ? status : printed;
}

static tr_status run(const void *given, tr_error *error) {
    const options *o = given;
    static tr_character_settings initial;
    tr_parameter_reset(&tr_character_settings_table, &initial);
    if (o->list)
        return tr_option_list_settings(&tr_character_settings_table, &initial, error);
    if (!o->folder)
        return tr_fail(error, TR_INVALID_ARGUMENT, "expected a FOLDER of clips");
    tr_character_work *c = calloc(1, sizeof *c);
    tr_status status = c ? make(o, c, error) : tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory");
    free(c);
    return status;
}

const tr_tool_command tr_tool_character = {
    .name = "character",
    .summary = "from a folder of clips to a character that is served, steered, and gets up",
    .help =
        "Import every clip of the folder, cut long ones into parts, learn what can be repeated on\n"
        "the body 'athlete', and join it to skills of 'hero': standing, getting up, and gaits by\n"
        "which the character starts and stops. Transitions are found by search; those that are "
        "not\n"
        "found are learned, and trained on random walks.\n"
        "The result is a bundle. All work is kept in FOLDER/NAME.work: after Ctrl-C the same\n"
        "command continues, and of what is done it repeats only what depends on a clip or a\n"
        "setting that has changed. Delete the folder to begin anew.\n"
        "\n"
        "The file FOLDER/character.task may have lines 'name = value'; --list prints them.\n",
    .example = "  troupe-train character clips/ada --plan\n"
               "  troupe-train character clips/ada\n"
               "  troupe bundle add clips/ada/ada.troupe\n",
    .options = sizeof(options),
    .argument = words,
    .defaults = &defaults,
    .run = run,
};
