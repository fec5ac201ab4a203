#include "server/config/account.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char prefix[] = "sha256:";
static const char hex[] = "0123456789abcdef";

bool tr_stored_parse(const char *text, uint8_t out[TR_KEY_HASH_SIZE]) {
    uint8_t stored[TR_KEY_HASH_SIZE];
    size_t prefix_size = sizeof prefix - 1;
    if (strlen(text) != prefix_size + 2 * TR_KEY_HASH_SIZE ||
        strncmp(text, prefix, prefix_size) != 0)
        return false;
    text += prefix_size;
    for (int i = 0; i < 2 * TR_KEY_HASH_SIZE; i++) {
        const char *digit = strchr(hex, text[i]);
        if (digit == NULL)
            return false;
        uint8_t value = (uint8_t)(digit - hex);
        stored[i / 2] = i % 2 == 0 ? (uint8_t)(value << 4) : (uint8_t)(stored[i / 2] | value);
    }
    memcpy(out, stored, sizeof stored);
    return true;
}

void tr_stored_format(const uint8_t stored[TR_KEY_HASH_SIZE], char out[TR_STORED_TEXT_MAX]) {
    int at = snprintf(out, TR_STORED_TEXT_MAX, "%s", prefix);
    for (int i = 0; i < TR_KEY_HASH_SIZE; i++) {
        out[at++] = hex[stored[i] >> 4];
        out[at++] = hex[stored[i] & 15];
    }
    out[at] = '\0';
}

bool tr_expiry_parse(const char *text, int64_t *out_s) {
    struct tm utc = {0};
    const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (end == NULL || *end != '\0') {
        utc = (struct tm){0};
        end = strptime(text, "%Y-%m-%d", &utc);
    }
    if (end == NULL || *end != '\0')
        return false;
    int day = utc.tm_mday;
    time_t at = timegm(&utc);
    if (at <= 0 || utc.tm_mday != day) /* the 31st of February */
        return false;
    *out_s = (int64_t)at;
    return true;
}

uint64_t tr_account_id(const char *name) {
    uint8_t digest[TR_KEY_HASH_SIZE];
    uint64_t id = 0;
    EVP_Digest(name, strlen(name), digest, NULL, EVP_sha256(), NULL);
    for (int i = 0; i < 8; i++)
        id = id << 8 | digest[i];
    return id | UINT64_C(1) << 63;
}
