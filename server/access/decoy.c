#include "server/access/decoy.h"

#include "math/hash.h"
#include "proto/key.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Reads all of it, or makes it: a start that was cut off may have left a part. */
static tr_status read_or_make(int fd, tr_decoy *out) {
    if (pread(fd, out->secret, sizeof out->secret, 0) == (ssize_t)sizeof out->secret)
        return TR_OK;
    tr_status status = tr_key_random(out->secret, sizeof out->secret);
    if (!status &&
        (pwrite(fd, out->secret, sizeof out->secret, 0) != sizeof out->secret || fsync(fd) != 0))
        status = TR_PERMISSION_DENIED;
    return status;
}

tr_status tr_decoy_open(const char *state_dir, tr_decoy *out, tr_error *error) {
    char path[TR_CONFIG_TEXT_MAX + 16];
    snprintf(path, sizeof path, "%s/decoy", state_dir);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return tr_fail(error, TR_PERMISSION_DENIED, "%s: %s", path, strerror(errno));
    tr_status status = read_or_make(fd, out);
    if (status)
        (void)tr_fail(error, status, "%s: %s", path,
                      status == TR_INTERNAL ? "no random bytes" : strerror(errno));
    close(fd);
    return status;
}

/* The iterations of the account whose hash with the name is the highest: an account that is added or
 * removed changes the draw of its own names alone, so that a name without an account keeps its
 * iterations when the keys are read again. */
static int iterations_of_one(const tr_config *config, const uint8_t hash[TR_SCRAM_HASH_SIZE]) {
    uint64_t highest = 0;
    int iterations = TR_SCRAM_ITERATIONS;
    for (int i = 0; i < config->account_count; i++) {
        const tr_account *account = &config->account[i];
        const uint64_t of_name = tr_hash_add(TR_HASH_START, account->name, strlen(account->name));
        const uint64_t rank = tr_hash_add(of_name, hash, TR_SCRAM_HASH_SIZE);
        if (rank >= highest) {
            highest = rank;
            iterations = account->verifier.iterations;
        }
    }
    return iterations;
}

tr_scram_verifier tr_decoy_verifier(const tr_decoy *decoy, const tr_config *config,
                                    const char *name) {
    uint8_t hash[TR_SCRAM_HASH_SIZE];
    tr_scram_verifier verifier = {0};
    HMAC(EVP_sha256(), decoy->secret, sizeof decoy->secret, (const uint8_t *)name, strlen(name),
         hash, NULL);
    memcpy(verifier.salt, hash, sizeof verifier.salt);
    verifier.iterations = iterations_of_one(config, hash);
    return verifier;
}
