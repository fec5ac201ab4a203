/* Conversion of key hashes older than SCRAM to verifiers (scram.h).
 *
 * The old configuration had "sha256:" and 64 hexadecimal digits of H(C), where H = SHA-256, M(key,
 * text) = HMAC-SHA-256, the bytes of a key's secret are a salt s of 16 and k of 32, and
 *
 *     C = M(k, "troupe client key" | s | NAME)
 *
 * A verifier cannot be made of H(C), only of the key itself. The key stays the same, and so does the file
 * in which its holder keeps it. */
#ifndef TROUPE_SERVER_KEY_CONVERSION_H
#define TROUPE_SERVER_KEY_CONVERSION_H

#include "proto/key.h"

#include <stdbool.h>
#include <stdio.h>

/* "sha256:" and 64 hexadecimal digits. */
enum { TR_OLD_HASH_TEXT_MAX = 72 };
bool tr_old_hash_is_valid(const char *text);
void tr_old_hash_of(const tr_key *key, char out[TR_OLD_HASH_TEXT_MAX]);

/* Copies the configuration `path` to `out`; each old hash of one of `keys` (one key per line)
 * becomes a verifier with a new salt. Comments and layout stay. TR_INVALID_ARGUMENT: the file
 * cannot be read or is not text, a line is not a key, or a key has no hash there; TR_INTERNAL: no
 * random bytes. On failure nothing is written. */
tr_status tr_keys_convert(const char *path, FILE *keys, FILE *out, int *out_count,
                          tr_error *error) TR_NODISCARD;

#endif
