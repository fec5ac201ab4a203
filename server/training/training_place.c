#include "server/training/training_place.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_LENGTH_MAX = 47 };

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
        if (strcmp(dot, endings[i]) == 0)
            return true;
    return false;
}

/* No folder, no option, no hidden file, and nothing that a shell or a terminal would act on. */
static bool is_clip_name(const char *name) {
    size_t size = strlen(name);
    if (size == 0 || size >= TR_TRAINING_CLIP_MAX || !is_letter_or_digit(name[0]))
        return false;
    for (const char *c = name; *c; c++)
        if (!is_letter_or_digit(*c) && !strchr("._-+ ()", *c))
            return false;
    return has_clip_ending(name);
}

/* --- clips --- */

/* Follows links of the operator's within the folder, and none that leaves it. */
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
                       "clip '%.127s': expected the name of a file of the clips' folder that ends "
                       "in .bvh, .amc, .txt or .json",
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

/* "" if there is none. */
static void read_request(const char *path, char out[TR_TRAINING_REQUEST_MAX]) {
    FILE *file = fopen(path, "r");
    size_t size = file ? fread(out, 1, TR_TRAINING_REQUEST_MAX - 1, file) : 0;
    out[size] = '\0';
    if (file)
        fclose(file);
}

tr_status tr_training_place_claim(const char *folder, const char *name, const char *request,
                                  tr_error *error) {
    char path[TR_TRAINING_PATH_MAX + 32], checkpoint[TR_TRAINING_PATH_MAX + 32];
    char earlier[TR_TRAINING_REQUEST_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, TR_TRAINING_REQUEST);
    snprintf(checkpoint, sizeof checkpoint, "%s/%s", folder, TR_TRAINING_CHECKPOINT);
    read_request(path, earlier);
    if (earlier[0] && strcmp(earlier, request) != 0 && access(checkpoint, F_OK) == 0)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "training '%s' was interrupted, and began with %s; start it with the same, "
                       "or take another name",
                       name, earlier);
    FILE *file = fopen(path, "w");
    bool written = file && fputs(request, file) >= 0;
    if (file && fclose(file) != 0)
        written = false;
    return written ? TR_OK
                   : tr_fail(error, TR_PERMISSION_DENIED, "training '%s': its folder: %s", name,
                             strerror(errno));
}

void tr_training_place_remove(const char *path) {
    DIR *folder = opendir(path);
    if (!folder)
        return;
    for (const struct dirent *entry; (entry = readdir(folder));)
        (void)unlinkat(dirfd(folder), entry->d_name, 0); /* "." and "..": refused */
    closedir(folder);
    (void)rmdir(path);
}
