#include "server/config/key_conversion.h"

#include "proto/text_file.h"
#include "server/config/account.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 1 << 20 };

static const char prefix[] = "sha256:";
static const char hex[] = "0123456789abcdef";

bool tr_old_hash_is_valid(const char *text) {
    size_t prefix_size = sizeof prefix - 1;
    return strncmp(text, prefix, prefix_size) == 0 &&
           strlen(text) == prefix_size + (size_t)2 * TR_SCRAM_HASH_SIZE &&
           strspn(text + prefix_size, hex) == (size_t)2 * TR_SCRAM_HASH_SIZE;
}

void tr_old_hash_of(const tr_key *key, char out[TR_OLD_HASH_TEXT_MAX]) {
    static const char label[] = "troupe client key";
    uint8_t secret[TR_KEY_SECRET_SIZE], hash[TR_SCRAM_HASH_SIZE];
    char text[sizeof label - 1 + TR_KEY_SALT_SIZE + TR_KEY_NAME_MAX];
    tr_key_secret_bytes(key, secret);
    memcpy(text, label, sizeof label - 1);
    memcpy(text + sizeof label - 1, secret, TR_KEY_SALT_SIZE);
    memcpy(text + sizeof label - 1 + TR_KEY_SALT_SIZE, key->name, strlen(key->name));
    HMAC(EVP_sha256(), secret + TR_KEY_SALT_SIZE, TR_KEY_SECRET_SIZE - TR_KEY_SALT_SIZE,
         (const uint8_t *)text, sizeof label - 1 + TR_KEY_SALT_SIZE + strlen(key->name), hash,
         NULL);
    EVP_Digest(hash, sizeof hash, hash, NULL, EVP_sha256(), NULL);
    int at = snprintf(out, TR_OLD_HASH_TEXT_MAX, "%s", prefix);
    for (size_t i = 0; i < sizeof hash; i++) {
        out[at++] = hex[hash[i] >> 4];
        out[at++] = hex[hash[i] & 15];
    }
    out[at] = '\0';
    OPENSSL_cleanse(secret, sizeof secret);
    OPENSSL_cleanse(text, sizeof text);
}

/* Replaces `from`, which is at `at`, by `to` in *text. */
static tr_status replace(char **text, const char *at, size_t from_size, const char *to) {
    size_t before = (size_t)(at - *text);
    size_t size = strlen(*text) - from_size + strlen(to) + 1;
    char *changed = malloc(size);
    if (!changed)
        return TR_RESOURCE_EXHAUSTED;
    memcpy(changed, *text, before);
    snprintf(changed + before, size - before, "%s%s", to, at + from_size);
    free(*text);
    *text = changed;
    return TR_OK;
}

static tr_status convert(char **text, const tr_key *key, tr_error *error) {
    char old[TR_OLD_HASH_TEXT_MAX], verifier[TR_SCRAM_VERIFIER_TEXT_MAX];
    tr_old_hash_of(key, old);
    const char *at = strstr(*text, old);
    if (!at)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "key '%s': the configuration has no old hash of it", key->name);
    tr_status status = tr_account_verifier(key, verifier);
    if (!status)
        status = replace(text, at, strlen(old), verifier);
    return status ? tr_fail(error, status, "key '%s': %s", key->name, tr_status_text(status))
                  : TR_OK;
}

/* Converts every key: one per line; empty lines are skipped. */
static tr_status convert_all(char **text, char *keys, int *out_count, tr_error *error) {
    tr_status status = TR_OK;
    int number = 0;
    for (char *line; !status && (line = strsep(&keys, "\n"));) {
        tr_key key;
        number++;
        line[strcspn(line, "\r")] = '\0';
        if (line[0] == '\0')
            continue;
        if (tr_key_parse(line, &key))
            status = tr_fail(error, TR_INVALID_ARGUMENT,
                             "line %d of the keys: expected NAME.SECRET", number);
        else
            status = convert(text, &key, error);
        *out_count += !status;
        tr_key_forget(&key);
    }
    return status;
}

tr_status tr_keys_convert(const char *path, FILE *keys, FILE *out, int *out_count,
                          tr_error *error) {
    int count = 0;
    char *text = NULL, *lines = NULL;
    size_t size = 0, lines_size = 0;
    tr_status status = tr_text_file_read(path, FILE_MAX, &text, &size, error);
    if (!status)
        status = tr_text_stream_read(keys, "the keys", FILE_MAX, &lines, &lines_size, error);
    if (!status)
        status = convert_all(&text, lines, &count, error);
    if (!status && (fputs(text, out) == EOF || fflush(out) != 0))
        status = tr_fail(error, TR_UNAVAILABLE, "cannot write: %s", strerror(errno));
    if (!status)
        *out_count = count;
    if (lines)
        OPENSSL_cleanse(lines, lines_size);
    free(lines);
    free(text);
    return status;
}
