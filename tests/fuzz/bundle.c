/* Bundles from arbitrary bytes: imported whole into a catalogue that stays sound, or refused with a
 * message, and nothing is stored. After a first byte CHANGES they are changes of a sound bundle,
 * four bytes each: where, in three, and what is put there. */
#include "fuzz/target.h"

#include "db/bundles/bundle.h"
#include "db/store/catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHANGES = 0xb0, CHANGE_SIZE = 4, SOUND_SIZE_MAX = 1 << 18 };

static char folder[64], catalogue_path[96], bundle_path[96];

static struct {
    uint8_t bytes[SOUND_SIZE_MAX];
    size_t size;
} sound;

static void remove_files(void) {
    static const char *const endings[] = {"", "-wal", "-journal"};
    char path[112];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(path, sizeof path, "%s%s", catalogue_path, endings[i]);
        unlink(path);
    }
    unlink(bundle_path);
}

static void close_folder(void) {
    remove_files();
    rmdir(folder);
}

static void open_folder(void) {
    const char *parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(folder, sizeof folder, "%s/troupe-fuzz-XXXXXX", parent);
    if (!mkdtemp(folder))
        abort();
    snprintf(catalogue_path, sizeof catalogue_path, "%s/catalogue", folder);
    snprintf(bundle_path, sizeof bundle_path, "%s/bundle", folder);
    atexit(close_folder);
}

static void read_sound(void) {
    FILE *file = fopen(TR_SOURCE_DIR "/tests/data/db/two.troupe", "rbe");
    if (!file)
        abort();
    sound.size = fread(sound.bytes, 1, sizeof sound.bytes, file);
    if (sound.size == 0 || sound.size == sizeof sound.bytes || fclose(file) != 0)
        abort();
}

static void write_bundle(const uint8_t *data, size_t size) {
    FILE *file = fopen(bundle_path, "wbe");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
}

static void write_changed(const uint8_t *change, size_t size) {
    static uint8_t changed[SOUND_SIZE_MAX];
    memcpy(changed, sound.bytes, sound.size);
    for (; size >= CHANGE_SIZE; change += CHANGE_SIZE, size -= CHANGE_SIZE) {
        size_t at = (size_t)change[0] << 16 | (size_t)change[1] << 8 | change[2];
        changed[at % sound.size] = change[3];
    }
    write_bundle(changed, sound.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tr_catalogue *catalogue = NULL;
    tr_catalogue_summary summary;
    tr_error error = {0};
    if (!folder[0]) {
        open_folder();
        read_sound();
    }
    remove_files();
    if (size > 0 && data[0] == CHANGES)
        write_changed(data + 1, size - 1);
    else
        write_bundle(data, size);
    if (tr_catalogue_open(catalogue_path, TR_CATALOGUE_CREATE, &catalogue, NULL))
        abort();
    tr_status status = tr_bundle_import(catalogue, bundle_path, TR_BUNDLE_REFUSE, NULL, &error);
    if (status && !error.message[0])
        abort();
    if (tr_catalogue_check(catalogue, NULL) || tr_catalogue_summarize(catalogue, &summary, NULL) ||
        (status && summary.models + summary.controllers + summary.runs + summary.clips > 0))
        abort();
    tr_catalogue_close(catalogue);
    return 0;
}
