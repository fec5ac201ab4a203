/* The headers of checkpoints: what each checkpoint begins with, and the checks that refuse a file of
 * another kind, a damaged one, one of another build, and one of another training.
 *
 * Every checkpoint is a struct of its own, but all begin alike and end in a seal (whole_file.h):
 *
 *     char magic[8]; uint32_t version; uint32_t sizes[]; ...; seal
 *
 * The sizes are those of this build's structs, which the file holds byte by byte. A layout says
 * where the rest is. No state; any thread. */
#ifndef TROUPE_LEARN_CHECKPOINT_HEADER_H
#define TROUPE_LEARN_CHECKPOINT_HEADER_H

#include "learn/method/whole_file.h"
#include "math/byte_reader.h"

enum { TR_CHECKPOINT_BOND_MAX = 3 };

/* A number of 64 bits that a file shares with its training only: hashes of the model, the clip, the
 * settings. */
typedef struct tr_checkpoint_bond {
    size_t offset;         /* in the header */
    const char *otherwise; /* what a file with another number is: "for another model" */
} tr_checkpoint_bond;

typedef struct tr_checkpoint_layout {
    const char *what; /* for messages: "a checkpoint", "the checkpoint of a gait" */
    size_t size;      /* of the header, bytes */
    int sizes;        /* how many follow the version */
    size_t file_size; /* offset of a uint64_t: bytes of the whole file */
    size_t file_max;  /* bytes that a file may have */
    int bonds;
    tr_checkpoint_bond bond[TR_CHECKPOINT_BOND_MAX];
} tr_checkpoint_layout;

/* Checks the whole file at data[size] against the header that this training would write, and opens
 * what follows the header. name: of the file, for messages.
 * expected, out_header: [layout->size] bytes. out_rest: what lies between header and seal.
 * TR_DATA_LOSS: of another kind, cut short or damaged. TR_FAILED_PRECONDITION: of another build or
 * another training. */
tr_status tr_checkpoint_open(const tr_checkpoint_layout *layout, const void *expected,
                             const char *name, const char *data, size_t size, void *out_header,
                             tr_byte_reader *out_rest, tr_error *error) TR_NODISCARD;

/* The same of a file; out_rest points into *out_data, which the caller frees. As
 * tr_whole_file_read. */
tr_status tr_checkpoint_read(const tr_checkpoint_layout *layout, const void *expected,
                             const char *path, char **out_data, void *out_header,
                             tr_byte_reader *out_rest, tr_error *error) TR_NODISCARD;

/* Seals the file that ends at `end`, writes it, and frees it; `end` leaves room for the seal. As
 * tr_whole_file_write. */
tr_status tr_checkpoint_write(char *take_data, char *end, const char *path,
                              tr_error *error) TR_NODISCARD;

#endif
