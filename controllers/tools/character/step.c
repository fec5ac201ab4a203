#include "tools/character/step.h"

#include "db/store/catalogue.h"
#include "db/tables/entries.h"
#include "learn/rehearsal/names.h"
#include "math/hash.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/subject.h"
#include "tools/frame/tool.h"
#include "tools/learn/method_command.h"
#include "tools/learn/method_loop.h"

#include <glob.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MARK_NAME_MAX = 2 * TR_NAME_MAX + 32 };

/* --- words --- */

void tr_work_step_begin(tr_work_step *s, double minutes, const char *subject, bool makes) {
    *s = (tr_work_step){.makes = makes, .minutes = minutes, .key = TR_HASH_START};
    snprintf(s->subject, sizeof s->subject, "%s", subject);
}

void tr_work_step_add(tr_work_step *s, const char *word) {
    size_t size = strlen(word) + 1;
    if (s->count + 1 >= TR_STEP_WORD_MAX || size > sizeof s->text - s->used) {
        s->too_long = true;
        return;
    }
    s->word[s->count++] = memcpy(s->text + s->used, word, size);
    s->word[s->count] = NULL;
    s->used += size;
}

void tr_work_step_words(tr_work_step *s, const char *format, ...) {
    char text[TR_CHARACTER_PATH_MAX];
    va_list values;
    va_start(values, format);
    s->too_long |= vsnprintf(text, sizeof text, format, values) >= (int)sizeof text;
    va_end(values);
    for (char *rest = NULL, *word = strtok_r(text, " ", &rest); word;
         word = strtok_r(NULL, " ", &rest))
        tr_work_step_add(s, word);
}

void tr_work_step_set(tr_work_step *s, const char *list) {
    for (char pair[TR_NAME_MAX]; tr_names_next(&list, pair);)
        tr_work_step_words(s, "--set %s", pair);
}

void tr_work_step_reads(tr_work_step *s, const void *data, size_t size) {
    s->key = tr_hash_add(s->key, data, size);
}

/* --- the catalogue --- */

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

/* Adds the words to the key, and each controller that one of them names; what follows --skill names a
 * skill, of which a controller may have the name. */
static tr_status read_words(const tr_character_work *c, tr_work_step *s, tr_error *error) {
    tr_catalogue *catalogue = NULL;
    tr_controller_row row;
    tr_status status = tr_catalogue_open(c->catalogue, TR_CATALOGUE_READ, &catalogue, error);
    for (int i = 0; !status && i < s->count; i++) {
        tr_work_step_reads(s, s->word[i], strlen(s->word[i]) + 1);
        const bool skill = i > 0 && strcmp(s->word[i - 1], "--skill") == 0;
        if (!skill && !(s->makes && strcmp(s->word[i], s->subject) == 0) &&
            !tr_controllers_find(catalogue, s->word[i], &row, NULL))
            tr_work_step_reads(s, &row.digest, sizeof row.digest);
    }
    tr_catalogue_close(catalogue);
    return status;
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

/* The run, the clip that it learned from, which has the same name, and what has no run. */
static tr_status forget_result(const tr_character_work *c, const char *name, tr_error *error) {
    tr_catalogue *catalogue = NULL;
    tr_status status = tr_catalogue_open(c->catalogue, TR_CATALOGUE_WRITE, &catalogue, error);
    static const tr_noun kind[] = {TR_NOUN_RUN, TR_NOUN_CLIP, TR_NOUN_CONTROLLER};
    for (int i = 0; !status && i < 3; i++)
        status = forget(catalogue, kind[i], name, error);
    tr_catalogue_close(catalogue);
    return status;
}

/* --- doing --- */

/* Removes the marks and checkpoints of the subject. */
static void remove_marks(const char *subject) {
    static const char *const ending[] = {"done", "checkpoint"};
    for (int i = 0; i < 2; i++) {
        char pattern[MARK_NAME_MAX];
        glob_t found = {0};
        snprintf(pattern, sizeof pattern, "%s.*.%s", subject, ending[i]);
        if (glob(pattern, 0, NULL, &found) == 0)
            for (size_t k = 0; k < found.gl_pathc; k++)
                (void)unlink(found.gl_pathv[k]);
        globfree(&found);
    }
}

static void print_begin(const tr_character_work *c, const tr_work_step *s) {
    printf("\n== troupe-train");
    for (int i = 0; i < s->count; i++)
        printf(" %s", s->word[i]);
    printf("\n==");
    tr_print_share(c->done_min / c->work_min, c->kept_min / c->work_min,
                   tr_wall_seconds() - c->began_s);
}

static int run_method(tr_work_step *s) {
    int taken = 0;
    char command[TR_NAME_MAX];
    const tr_method *method = tr_method_find_command(s->count, s->word, &taken);
    if (!method)
        return TR_TOOL_USAGE;
    snprintf(command, sizeof command, "%s", method->command);
    s->word[taken - 1] = command;
    return tr_method_exec(method, s->count - taken + 1, s->word + taken - 1);
}

static tr_status run(const tr_character_work *c, const tr_tool_command *command, tr_work_step *s,
                     tr_error *error) {
    print_begin(c, s);
    if (command != &tr_tool_graph_take)
        tr_work_step_words(s, "--threads %d", c->threads);
    const int code = command ? tr_tool_exec(command, s->count, s->word) : run_method(s);
    if (!command && tr_method_loop_was_stopped())
        return tr_fail(error, TR_CANCELLED, "stopped by Ctrl-C; the same command continues");
    return code == TR_TOOL_OK ? TR_OK : tr_fail(error, TR_ABORTED, "%s failed", s->subject);
}

/* A result without the checkpoint of this step is of other words or inputs. A checkpoint that cannot be
 * continued, as after a change of this program, gives way to a new beginning. */
static tr_status run_step(const tr_character_work *c, const tr_tool_command *command,
                          tr_work_step *s, const char *checkpoint, tr_error *error) {
    const tr_work_step begun = *s;
    const bool continues = access(checkpoint, F_OK) == 0;
    tr_status status = TR_OK;
    if (s->makes && !continues) {
        remove_marks(s->subject);
        status = forget_result(c, s->subject, error);
    }
    if (!command)
        tr_work_step_words(s, "--resume --checkpoint %s", checkpoint);
    if (!status)
        status = run(c, command, s, error);
    if (status != TR_ABORTED || !continues)
        return status;
    *s = begun;
    (void)unlink(checkpoint);
    return run_step(c, command, s, checkpoint, error);
}

tr_status tr_work_step_do(tr_character_work *c, const tr_tool_command *command, tr_work_step *s,
                          tr_error *error) {
    char mark[MARK_NAME_MAX], checkpoint[MARK_NAME_MAX];
    tr_controller_row row;
    if (s->too_long)
        return tr_fail(error, TR_OUT_OF_RANGE,
                       "%s: the command has more than %d words, or is too long: shorten the names "
                       "or lists of character.task",
                       s->subject, TR_STEP_WORD_MAX - 1);
    tr_status status = read_words(c, s, error);
    snprintf(mark, sizeof mark, "%s.%s.%016" PRIx64 ".done", s->subject, s->word[0], s->key);
    snprintf(checkpoint, sizeof checkpoint, "%s.%016" PRIx64 ".checkpoint", s->subject, s->key);
    const bool done =
        !status && access(mark, F_OK) == 0 && !tr_character_find(c, s->subject, &row, NULL);
    if (!status && !done)
        status = run_step(c, command, s, checkpoint, error);
    if (!status && !done) {
        FILE *file = fopen(mark, "w");
        if (!file || fclose(file) != 0)
            status = tr_fail(error, TR_PERMISSION_DENIED, "%s: cannot be written", mark);
        (void)unlink(checkpoint);
    }
    c->done_min += s->minutes;
    c->kept_min += done ? s->minutes : 0;
    return status;
}
