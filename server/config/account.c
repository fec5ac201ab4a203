#include "server/config/account.h"

#include <openssl/evp.h>
#include <string.h>
#include <time.h>

tr_status tr_account_verifier(const tr_key *key, char out[TR_SCRAM_VERIFIER_TEXT_MAX]) {
    uint8_t salt[TR_KEY_SALT_SIZE];
    tr_scram_verifier verifier;
    tr_status status = tr_key_random(salt, sizeof salt);
    if (!status)
        status = tr_scram_verifier_make(key->secret, salt, TR_SCRAM_ITERATIONS, &verifier);
    if (!status)
        tr_scram_verifier_format(&verifier, out);
    return status;
}

bool tr_expiry_parse(const char *text, int64_t *out_s) {
    struct tm utc = {0};
    const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (!end || *end != '\0') {
        utc = (struct tm){0};
        end = strptime(text, "%Y-%m-%d", &utc);
    }
    if (!end || *end != '\0')
        return false;
    int day = utc.tm_mday;
    time_t at = timegm(&utc);
    if (at <= 0 || utc.tm_mday != day) /* the 31st of February */
        return false;
    *out_s = (int64_t)at;
    return true;
}

uint64_t tr_account_id(const char *name) {
    uint8_t digest[TR_SCRAM_HASH_SIZE];
    uint64_t id = 0;
    EVP_Digest(name, strlen(name), digest, NULL, EVP_sha256(), NULL);
    for (int i = 0; i < 8; i++)
        id = id << 8 | digest[i];
    return id | UINT64_C(1) << 63;
}
