#include "tools/train/run_motion.h"

#include "motion/retarget/import_options.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { CLIP_BYTES_MAX = 1 << 28, PATH_BYTES_MAX = 4096 };

typedef struct search {
    const tr_run_motion *of;
    const tr_reproduction *given;
    tr_error *error;
} search;

/* The regular file in the folder whose content has the clip's digest. path: [PATH_BYTES_MAX]. */
static tr_status find_clip(const search *s, char *path) {
    const tr_clip_row *clip = &s->of->clip;
    const char *clips = s->given->clips;
    DIR *folder = opendir(clips);
    if (!folder)
        return tr_fail(s->error, TR_NOT_FOUND, "%s: not a folder", clips);
    bool found = false;
    for (struct dirent *entry; !found && (entry = readdir(folder));) {
        struct stat about;
        tr_digest digest;
        int length = snprintf(path, PATH_BYTES_MAX, "%s/%s", clips, entry->d_name);
        found = length < PATH_BYTES_MAX && stat(path, &about) == 0 && S_ISREG(about.st_mode) &&
                about.st_size <= CLIP_BYTES_MAX && !tr_clips_digest_file(path, &digest, s->error) &&
                tr_digest_equal(&digest, &clip->file_digest);
    }
    closedir(folder);
    if (found)
        return TR_OK;
    return tr_fail(s->error, TR_NOT_FOUND, "%s: no file in it is the clip '%s' (%s)", clips,
                   clip->name, clip->source);
}

/* Training uses motions as their files hold them, with the files' digits. */
static tr_status as_its_file(const search *s, const tr_motion *motion, tr_motion **out) {
    const char *name = s->of->clip.name;
    char *text;
    size_t size;
    tr_status status = tr_motion_print(motion, &text, &size);
    if (status)
        return tr_fail_if(s->error, status, "%s", name);
    status = tr_motion_parse(text, size, name, s->of->model, out, s->error);
    free(text);
    return status;
}

static tr_status import_clip(const search *s, const char *path, tr_motion **out) {
    tr_motion *motion = NULL;
    tr_import import = tr_import_default();
    const tr_clip_row *clip = &s->of->clip;
    const char *how = s->given->import ? s->given->import : s->of->options;
    tr_status status = tr_import_read_options(how, &import, s->error);
    import.first = clip->first_frame;
    import.last = clip->last_frame;
    import.name = clip->name;
    import.clip.skeleton = clip->skeleton;
    if (!status)
        status = tr_import_run(path, s->of->model, &import, &motion, NULL, s->error);
    if (!status)
        status = as_its_file(s, motion, out);
    tr_motion_destroy(motion);
    return status;
}

/* The digest kept may also be that of the motion's own file (learn without --clip). */
static tr_status find_motion(const search *s, tr_motion **out) {
    char path[PATH_BYTES_MAX];
    tr_error ignored;
    if (s->given->motion)
        return tr_motion_load(s->given->motion, s->of->model, out, s->error);
    tr_status status = find_clip(s, path);
    if (status || !tr_motion_load(path, s->of->model, out, &ignored))
        return status;
    if (!s->of->options[0] && !s->given->import)
        return tr_fail(s->error, TR_FAILED_PRECONDITION,
                       "run '%s': how its clip was imported is not recorded: give --import or "
                       "--motion",
                       s->of->run);
    return import_clip(s, path, out);
}

tr_status tr_run_motion_find(const tr_run_motion *of, const tr_reproduction *given, tr_motion **out,
                             tr_error *error) {
    const search s = {of, given, error};
    tr_motion *motion = NULL;
    if (!given->clips && !given->motion)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "run '%s' learned from a clip: expected --clips or --motion", of->run);
    tr_status status = find_motion(&s, &motion);
    if (status)
        return status;
    uint64_t hash = tr_motion_hash(motion);
    if (of->hash && hash != of->hash)
        printf("the motion is another one: hash %016" PRIx64 ", recorded %016" PRIx64 "\n", hash,
               of->hash);
    *out = motion;
    return TR_OK;
}
