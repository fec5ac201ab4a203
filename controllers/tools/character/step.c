#include "tools/character/step.h"

#include "db/store/catalogue.h"
#include "db/tables/controllers.h"
#include "db/tables/entries.h"
#include "db/tables/runs.h"
#include "math/hash.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/progress.h"
#include "tools/learn/method_command.h"
#include "tools/learn/method_loop.h"

#include <glob.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHECKPOINT_NAME_MAX = TR_NAME_MAX + 32, COUNT_WORD_MAX = 16 };

/* --- words --- */

void tr_work_step_add(tr_work_step *s, const char *word) {
    size_t size = strlen(word) + 1;
    if (s->count + 1 >= TR_STEP_WORD_MAX || size > sizeof s->text - s->used)
        return; /* the command refuses what is not whole */
    s->word[s->count++] = memcpy(s->text + s->used, word, size);
    s->word[s->count] = NULL;
    s->used += size;
}

static void TR_PRINTF(2, 0) add_words(tr_work_step *s, const char *format, va_list values) {
    char text[TR_CHARACTER_PATH_MAX];
    vsnprintf(text, sizeof text, format, values);
    for (char *rest = NULL, *word = strtok_r(text, " ", &rest); word;
         word = strtok_r(NULL, " ", &rest))
        tr_work_step_add(s, word);
}

void tr_work_step_words(tr_work_step *s, const char *format, ...) {
    va_list values;
    va_start(values, format);
    add_words(s, format, values);
    va_end(values);
}

void tr_work_step_begin(tr_work_step *s, double minutes, const char *result, const char *format,
                        ...) {
    va_list values;
    s->minutes = minutes;
    s->key = TR_HASH_START;
    s->count = 0;
    s->used = 0;
    snprintf(s->result, sizeof s->result, "%s", result);
    va_start(values, format);
    add_words(s, format, values);
    va_end(values);
}

void tr_work_step_set(tr_work_step *s, const char *list) {
    char text[TR_PARAMETER_TEXT_MAX];
    snprintf(text, sizeof text, "%s", list);
    for (char *rest = NULL, *pair = strtok_r(text, ",", &rest); pair;
         pair = strtok_r(NULL, ",", &rest)) {
        tr_work_step_add(s, "--set");
        tr_work_step_add(s, pair);
    }
}

void tr_work_step_reads(tr_work_step *s, const void *data, size_t size) {
    s->key = tr_hash_add(s->key, data, size);
}

tr_status tr_character_find(const tr_character_work *c, const char *name, tr_controller_row *out,
                            tr_error *error) {
    tr_catalogue *catalogue = NULL;
    tr_status status = access(c->catalogue, F_OK) != 0
                           ? TR_NOT_FOUND
                           : tr_catalogue_open(c->catalogue, TR_CATALOGUE_READ, &catalogue, error);
    if (!status)
        status = tr_controllers_find(catalogue, name, out, error);
    tr_catalogue_close(catalogue);
    return status;
}

tr_status tr_work_step_reads_controller(const tr_character_work *c, tr_work_step *s,
                                        const char *name, tr_error *error) {
    tr_controller_row row;
    tr_status status = tr_character_find(c, name, &row, error);
    if (!status)
        tr_work_step_reads(s, &row.digest, sizeof row.digest);
    return status;
}

/* --- what is done --- */

/* Adds the checkpoint; its name tells the inputs. */
static void finish_words(tr_work_step *s, char checkpoint[CHECKPOINT_NAME_MAX]) {
    for (int i = 0; i < s->count; i++)
        tr_work_step_reads(s, s->word[i], strlen(s->word[i]) + 1);
    snprintf(checkpoint, CHECKPOINT_NAME_MAX, "%s.%016" PRIx64 ".checkpoint", s->result, s->key);
    tr_work_step_words(s, "--resume --checkpoint %s", checkpoint);
}

/* Was the record made by this command, with any number of threads? */
static bool is_record_of(const tr_run_row *run, const tr_work_step *s) {
    char command[TR_RUN_COMMAND_MAX];
    tr_error error;
    if (tr_describe_command(s->count, (char **)(void *)s->word, command, sizeof command, &error))
        return false;
    const size_t length = strlen(command);
    return strncmp(run->command, command, length) == 0 &&
           (!run->command[length] || strncmp(run->command + length, " --threads ", 11) == 0);
}

/* Removes an entry, KIND:NAME, after all that depends on it; it need not be there. */
static tr_status forget(tr_catalogue *catalogue, tr_noun kind, const char *name, tr_error *error) {
    char text[TR_ENTRY_NAME_MAX + 16];
    tr_entry entry, dependent[TR_ENTRY_DEPENDENTS_MAX];
    int count = 1;
    snprintf(text, sizeof text, "%s:%s", tr_noun_name(kind), name);
    tr_status status = tr_entries_find(catalogue, text, &entry, error);
    /* Removing one may take others with it, so that they are listed again. */
    while (!status && count > 0) {
        count = TR_ENTRY_DEPENDENTS_MAX;
        status = tr_entries_dependents(catalogue, &entry, dependent, &count, error);
        if (!status && count > 0)
            status = forget(catalogue, dependent[0].kind, dependent[0].name, error);
    }
    if (!status)
        status = tr_entries_forget(catalogue, &entry, error);
    return status == TR_NOT_FOUND ? TR_OK : status;
}

/* The run, and the clip that it learned from, which has the same name. */
static tr_status forget_result(tr_catalogue *catalogue, const char *name, tr_error *error) {
    tr_status status = tr_catalogue_begin(catalogue, error);
    if (status)
        return status;
    status = forget(catalogue, TR_NOUN_RUN, name, error);
    if (!status)
        status = forget(catalogue, TR_NOUN_CLIP, name, error);
    return tr_catalogue_end(catalogue, status, error);
}

/* Removes the checkpoints of the result but the one. */
static void remove_checkpoints(const char *result, const char *but) {
    char pattern[CHECKPOINT_NAME_MAX];
    glob_t found = {0};
    snprintf(pattern, sizeof pattern, "%s.????????????????.checkpoint", result);
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (!but || strcmp(found.gl_pathv[i], but) != 0)
                (void)unlink(found.gl_pathv[i]);
    globfree(&found);
}

static tr_status look(const tr_character_work *c, const tr_work_step *s, const char *checkpoint,
                      bool *out_done, tr_error *error) {
    tr_catalogue *catalogue = NULL;
    tr_run_row run;
    *out_done = false;
    if (access(c->catalogue, F_OK) != 0)
        return TR_OK;
    tr_status status = tr_catalogue_open(c->catalogue, TR_CATALOGUE_WRITE, &catalogue, error);
    if (!status)
        status = tr_runs_find(catalogue, s->result, &run, error);
    if (!status && !is_record_of(&run, s))
        status = forget_result(catalogue, s->result, error);
    else if (!status)
        *out_done = access(checkpoint, F_OK) != 0;
    tr_catalogue_close(catalogue);
    return status == TR_NOT_FOUND ? TR_OK : status;
}

/* --- doing --- */

static void print_begin(const tr_character_work *c, const tr_work_step *s) {
    printf("\n== troupe-train");
    for (int i = 0; i < s->count; i++)
        printf(" %s", s->word[i]);
    printf("\n==");
    tr_print_share(c->done_min / c->work_min, c->kept_min / c->work_min,
                   tr_wall_seconds() - c->began_s);
}

static void count_done(tr_character_work *c, const tr_work_step *s, bool kept) {
    c->done_min += s->minutes;
    c->kept_min += kept ? s->minutes : 0;
}

static void add_threads(const tr_character_work *c, tr_work_step *s) {
    char count[COUNT_WORD_MAX];
    snprintf(count, sizeof count, "%d", c->threads);
    tr_work_step_add(s, "--threads");
    tr_work_step_add(s, count);
}

static tr_status run_method(tr_work_step *s, tr_error *error) {
    int taken = 0;
    char command[TR_NAME_MAX];
    const tr_method *method = tr_method_find_command(s->count, s->word, &taken);
    if (!method)
        return tr_fail(error, TR_INTERNAL, "%s: no such method", s->word[0]);
    snprintf(command, sizeof command, "%s", method->command);
    s->word[taken - 1] = command;
    int code = tr_method_exec(method, s->count - taken + 1, s->word + taken - 1);
    if (tr_method_loop_was_stopped())
        return tr_fail(error, TR_CANCELLED, "stopped by Ctrl-C; the same command continues");
    return code == TR_TOOL_OK ? TR_OK : tr_fail(error, TR_ABORTED, "%s failed", s->result);
}

tr_status tr_work_step_learn(tr_character_work *c, tr_work_step *s, tr_error *error) {
    char checkpoint[CHECKPOINT_NAME_MAX];
    bool done = false;
    finish_words(s, checkpoint);
    tr_status status = look(c, s, checkpoint, &done, error);
    if (!status && !done) {
        remove_checkpoints(s->result, checkpoint);
        print_begin(c, s);
        add_threads(c, s);
        status = run_method(s, error);
        if (!status)
            remove_checkpoints(s->result, NULL);
    }
    count_done(c, s, done);
    return status;
}

tr_status tr_work_step_do(tr_character_work *c, const tr_tool_command *command, tr_work_step *s,
                          bool done, tr_error *error) {
    int code = TR_TOOL_OK;
    if (!done) {
        print_begin(c, s);
        code = tr_tool_exec(command, s->count, s->word);
    }
    count_done(c, s, done);
    return code == TR_TOOL_OK ? TR_OK : tr_fail(error, TR_ABORTED, "%s failed", command->name);
}
