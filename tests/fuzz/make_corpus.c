/* Writes the seeds of the corpora from the schema: one file for each message there is, and the
 * requests of clients one after the other. FOLDER holds frame/, message/ and sequence/. */
#include "proto/frame.h"
#include "protocol/samples.h"
#include "troupe/envelope.pb-c.h"

#include <stdio.h>
#include <stdlib.h>

enum { SAMPLE_MAX = 128, PATH_SIZE = 4096 };

static int write_file(const char *path, const tr_sample *sample, int framed) {
    uint8_t prefix[TR_FRAME_PREFIX_MAX];
    size_t prefix_size = framed ? tr_frame_prefix((uint32_t)sample->size, prefix) : 0;
    FILE *file = fopen(path, "wbe");
    int good = file && fwrite(prefix, 1, prefix_size, file) == prefix_size &&
               fwrite(sample->data, 1, sample->size, file) == sample->size;
    if (file && fclose(file) != 0)
        good = 0;
    return good;
}

static int write_samples(const char *folder, const char *side,
                         const ProtobufCMessageDescriptor *type) {
    tr_sample samples[SAMPLE_MAX];
    int count = tr_samples_make(type, samples, SAMPLE_MAX), good = 1;
    for (int i = 0; i < count; i++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/message/%s_%s", folder, side, samples[i].name);
        good = good && write_file(path, &samples[i], 0);
        snprintf(path, sizeof path, "%s/frame/%s_%s", folder, side, samples[i].name);
        good = good && write_file(path, &samples[i], 1);
    }
    tr_samples_free(samples, count);
    return good;
}

/* A byte for how the world keeps time, then every request framed. */
static int write_sequence(const char *folder, int mode) {
    tr_sample samples[SAMPLE_MAX];
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/sequence/all_%d", folder, mode);
    FILE *file = fopen(path, "wbe");
    int count = tr_samples_make(&troupe__client_message__descriptor, samples, SAMPLE_MAX);
    int good = file && fputc(mode, file) == mode;
    for (int i = 0; good && i < count; i++) {
        uint8_t prefix[TR_FRAME_PREFIX_MAX];
        size_t size = tr_frame_prefix((uint32_t)samples[i].size, prefix);
        good = fwrite(prefix, 1, size, file) == size &&
               fwrite(samples[i].data, 1, samples[i].size, file) == samples[i].size;
    }
    if (file && fclose(file) != 0)
        good = 0;
    tr_samples_free(samples, count);
    return good;
}

int main(int count, char **words) {
    if (count != 2) {
        fputs("usage: make_corpus FOLDER\n", stderr);
        return 2;
    }
    int good = write_samples(words[1], "client", &troupe__client_message__descriptor) &&
               write_samples(words[1], "server", &troupe__server_message__descriptor) &&
               write_sequence(words[1], 0) && write_sequence(words[1], 1);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
