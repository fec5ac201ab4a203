#include "server/training/training_place.h"

#include "proto/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_LENGTH_MAX = 47, LINE_MAX_BYTES = 256, FILE_PATH_MAX = TR_TRAINING_PATH_MAX + 32 };

/* --- names --- */

static bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool tr_training_name_is_valid(const char *name) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
    size_t size = strlen(name);
    return size >= 1 && size <= NAME_LENGTH_MAX && strspn(name, allowed) == size &&
           is_letter_or_digit(name[0]);
}

static bool has_clip_ending(const char *name) {
    static const char *const endings[] = {".bvh", ".amc", ".txt", ".json"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot, endings[i]) == 0)
            return true;
    return false;
}

/* Letters of all alphabets are bytes of UTF-8 that are no ASCII. */
static bool may_begin_name(char c) {
    return is_letter_or_digit(c) || (unsigned char)c >= 0x80;
}

/* No folder, no option, no hidden file, and nothing that a shell or a terminal would act on. */
static bool is_clip_name(const char *name) {
    size_t size = strlen(name);
    if (size == 0 || size >= TR_TRAINING_CLIP_MAX || !may_begin_name(name[0]) ||
        !tr_text_is_utf8(name) || tr_text_has_control(name))
        return false;
    for (const char *c = name; *c; c++)
        if (!may_begin_name(*c) && !strchr("._-+ ()", *c))
            return false;
    return has_clip_ending(name);
}

/* --- clips --- */

/* Follows links that the operator made within the folder, but none that leads out of it. */
static bool is_within(const char *clips, const char *clip) {
    char path[TR_TRAINING_PATH_MAX + TR_TRAINING_CLIP_MAX], folder[PATH_MAX], file[PATH_MAX];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", clips, clip);
    if (!realpath(clips, folder) || !realpath(path, file) || stat(file, &info) != 0)
        return false;
    size_t size = strlen(folder);
    return S_ISREG(info.st_mode) && strncmp(file, folder, size) == 0 &&
           (file[size] == '/' || strcmp(folder, "/") == 0);
}

tr_status tr_training_clip_check(const char *clips, const char *clip, tr_error *error) {
    if (!is_clip_name(clip))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "clip '%.127s': expected a file of the clips' folder whose name begins with "
                       "a letter or "
                       "digit, has letters, digits, blanks and ._-+() in UTF-8, at most 127 bytes, "
                       "and ends in "
                       ".bvh, .amc, .txt or .json",
                       clip);
    if (!is_within(clips, clip))
        return tr_fail(
            error, TR_NOT_FOUND,
            "clip '%s': no such file in the clips' folder; 'troupe train clips' lists them", clip);
    return TR_OK;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(a, b);
}

int tr_training_clips_list(const char *clips,
                           char out[TR_TRAINING_CLIPS_LISTED][TR_TRAINING_CLIP_MAX]) {
    DIR *folder = opendir(clips);
    int count = 0;
    if (!folder)
        return 0;
    for (const struct dirent *entry; count < TR_TRAINING_CLIPS_LISTED && (entry = readdir(folder));)
        if (!tr_training_clip_check(clips, entry->d_name, NULL))
            snprintf(out[count++], TR_TRAINING_CLIP_MAX, "%.*s", TR_TRAINING_CLIP_MAX - 1,
                     entry->d_name);
    closedir(folder);
    qsort(out, (size_t)count, sizeof *out, compare_names);
    return count;
}

/* --- the folder of a training --- */

static bool make_folder(const char *path) {
    struct stat info;
    return mkdir(path, 0750) == 0 ||
           (errno == EEXIST && lstat(path, &info) == 0 && S_ISDIR(info.st_mode));
}

tr_status tr_training_place_make(const char *all, const char *name, const char *clips,
                                 char out[TR_TRAINING_PATH_MAX], tr_error *error) {
    char link[TR_TRAINING_PATH_MAX + 8], target[PATH_MAX];
    snprintf(out, TR_TRAINING_PATH_MAX, "%s/%s", all, name);
    snprintf(link, sizeof link, "%s/clips", out);
    bool made = realpath(clips, target) && make_folder(all) && make_folder(out) &&
                (unlink(link) == 0 || errno == ENOENT) && symlink(target, link) == 0;
    return made ? TR_OK
                : tr_fail(error, TR_PERMISSION_DENIED, "training '%s': its folder: %s", name,
                          strerror(errno));
}

/* A text between quotes after `before`; false: it is not there. Moves `at` to its end. */
static bool read_quoted(const char **at, const char *before, char *out, size_t size) {
    const char *begin = *at + strlen(before), *end = NULL;
    if (strncmp(*at, before, strlen(before)) == 0)
        end = strchr(begin, '\'');
    if (!end || (size_t)(end - begin) >= size)
        return false;
    snprintf(out, size, "%.*s", (int)(end - begin), begin);
    *at = end;
    return true;
}

static void write_line(const tr_training_request *request, char out[LINE_MAX_BYTES]) {
    snprintf(out, LINE_MAX_BYTES, "clip '%s', effort '%s', seed %" PRIu64, request->clip,
             request->effort, request->seed);
}

static bool read_line(const char *line, tr_training_request *out) {
    const char *at = line;
    return read_quoted(&at, "clip '", out->clip, sizeof out->clip) && is_clip_name(out->clip) &&
           read_quoted(&at, "', effort '", out->effort, sizeof out->effort) &&
           sscanf(at, "', seed %" SCNu64, &out->seed) == 1;
}

/* "" if there is none. */
static void read_request(const char *folder, char out[LINE_MAX_BYTES]) {
    char path[FILE_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, TR_TRAINING_REQUEST);
    FILE *file = fopen(path, "r");
    size_t size = file ? fread(out, 1, LINE_MAX_BYTES - 1, file) : 0;
    out[size] = '\0';
    if (file)
        fclose(file);
}

/* When a file of the folder was written, since 1970; 0: it is not there. */
static int64_t written_ns(const char *folder, const char *name) {
    char path[FILE_PATH_MAX];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (stat(path, &info) != 0)
        return 0;
    return (int64_t)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec;
}

/* True only where this is sure: another error is no reason to remove anything. */
static bool is_gone(const char *folder, const char *name) {
    char path[FILE_PATH_MAX];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return lstat(path, &info) != 0 && errno == ENOENT;
}

tr_status tr_training_place_claim(const char *folder, const char *name,
                                  const tr_training_request *request, tr_error *error) {
    char path[FILE_PATH_MAX], line[LINE_MAX_BYTES], earlier[LINE_MAX_BYTES];
    write_line(request, line);
    read_request(folder, earlier);
    if (earlier[0] && strcmp(earlier, line) != 0 && !is_gone(folder, TR_TRAINING_CHECKPOINT))
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "training '%s' was interrupted, and began with %s; start it with the same, "
                       "stop it, or take another name",
                       name, earlier);
    snprintf(path, sizeof path, "%s/%s", folder, TR_TRAINING_REQUEST);
    FILE *file = fopen(path, "w");
    bool written = file && fputs(line, file) >= 0;
    if (file && fclose(file) != 0)
        written = false;
    return written ? TR_OK
                   : tr_fail(error, TR_PERMISSION_DENIED, "training '%s': its folder: %s", name,
                             strerror(errno));
}

void tr_training_place_remove(const char *path) {
    int opened = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = opened >= 0 ? fdopendir(opened) : NULL;
    if (!folder) {
        if (opened >= 0)
            close(opened);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(folder));)
        (void)unlinkat(dirfd(folder), entry->d_name, 0); /* "." and "..": refused */
    closedir(folder);
    (void)rmdir(path);
}

/* --- those that were interrupted --- */

static int64_t last_written_ns(const char *folder) {
    int64_t checkpoint = written_ns(folder, TR_TRAINING_CHECKPOINT);
    int64_t result = written_ns(folder, TR_TRAINING_CATALOGUE);
    return checkpoint > result ? checkpoint : result;
}

static bool holds_rounds(const char *folder) {
    return !is_gone(folder, TR_TRAINING_CHECKPOINT) || !is_gone(folder, TR_TRAINING_CATALOGUE);
}

/* Folders without a request and a link to the clips were not made here. */
void tr_training_place_tidy(const char *folder) {
    bool made_here = !is_gone(folder, TR_TRAINING_REQUEST) || !is_gone(folder, "clips");
    if (made_here && !holds_rounds(folder))
        tr_training_place_remove(folder);
}

static bool read_place(const char *folder, tr_training_place *out) {
    char line[LINE_MAX_BYTES];
    read_request(folder, line);
    out->began_ns = written_ns(folder, TR_TRAINING_REQUEST);
    out->last_ns = last_written_ns(folder);
    return holds_rounds(folder) && read_line(line, &out->request);
}

int tr_training_places_list(const char *all, tr_training_place out[TR_TRAINING_PLACES_LISTED]) {
    char path[TR_TRAINING_PATH_MAX];
    DIR *folder = opendir(all);
    int count = 0;
    if (!folder)
        return 0;
    for (const struct dirent *entry;
         count < TR_TRAINING_PLACES_LISTED && (entry = readdir(folder));) {
        if (!tr_training_name_is_valid(entry->d_name))
            continue;
        snprintf(path, sizeof path, "%s/%s", all, entry->d_name);
        tr_training_place_tidy(path);
        out[count] = (tr_training_place){.name = ""};
        snprintf(out[count].name, sizeof out->name, "%.*s", NAME_LENGTH_MAX, entry->d_name);
        count += read_place(path, &out[count]);
    }
    closedir(folder);
    return count;
}
