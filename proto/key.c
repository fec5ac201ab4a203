#include "proto/key.h"

#include "proto/text_file.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(TR_KEY_SECRET_SIZE % 3 == 0, "base64 without padding");
_Static_assert(TR_KEY_SECRET_SIZE / 3 * 4 == TR_KEY_SECRET_TEXT, "the secret's text");
_Static_assert(TR_KEY_TEXT_MAX == TR_KEY_NAME_MAX + 1 + TR_KEY_SECRET_TEXT, "NAME.SECRET fits");

/* base64url (RFC 4648, section 5). */
static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

bool tr_key_name_is_valid(const char *name) {
    size_t size = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return size > 0 && size < TR_KEY_NAME_MAX && name[size] == '\0';
}

tr_status tr_key_parse(const char *text, tr_key *out) {
    tr_key key;
    size_t size = strcspn(text, ".");
    if (size >= sizeof key.name || text[size] != '.')
        return TR_INVALID_ARGUMENT;
    memcpy(key.name, text, size);
    key.name[size] = '\0';
    const char *secret = text + size + 1;
    if (!tr_key_name_is_valid(key.name) || strlen(secret) != TR_KEY_SECRET_TEXT ||
        strspn(secret, digits) != TR_KEY_SECRET_TEXT)
        return TR_INVALID_ARGUMENT;
    memcpy(key.secret, secret, sizeof key.secret);
    *out = key;
    tr_key_forget(&key);
    return TR_OK;
}

tr_status tr_key_read(FILE *file, const char *name, tr_key *out, tr_error *error) {
    enum { SIZE_MAX_BYTES = 4096 };
    static const char space[] = " \t\r\n";
    char *text = NULL;
    size_t size = 0;
    tr_status status = tr_text_stream_read(file, name, SIZE_MAX_BYTES, &text, &size, error);
    if (status)
        return status;
    char *begin = text + strspn(text, space);
    size_t length = strcspn(begin, space);
    bool alone = begin[length + strspn(begin + length, space)] == '\0';
    begin[length] = '\0';
    if (!alone || tr_key_parse(begin, out))
        status = tr_fail(error, TR_INVALID_ARGUMENT, "%s: expected a key, NAME.SECRET, and no more",
                         name);
    OPENSSL_cleanse(text, size);
    free(text);
    return status;
}

static void encode_secret(const uint8_t secret[TR_KEY_SECRET_SIZE], char *out) {
    for (int i = 0; i < TR_KEY_SECRET_SIZE; i += 3) {
        uint32_t word = (uint32_t)secret[i] << 16 | (uint32_t)secret[i + 1] << 8 | secret[i + 2];
        for (int k = 0; k < 4; k++)
            *out++ = digits[word >> (18 - 6 * k) & 63];
    }
    *out = '\0';
}

tr_status tr_key_make(const char *name, tr_key *out) {
    uint8_t secret[TR_KEY_SECRET_SIZE];
    if (!tr_key_name_is_valid(name))
        return TR_INVALID_ARGUMENT;
    if (RAND_priv_bytes(secret, sizeof secret) != 1)
        return TR_INTERNAL;
    memcpy(out->name, name, strlen(name) + 1);
    encode_secret(secret, out->secret);
    OPENSSL_cleanse(secret, sizeof secret);
    return TR_OK;
}

tr_status tr_key_random(uint8_t *out, size_t size) {
    return RAND_bytes(out, (int)size) == 1 ? TR_OK : TR_INTERNAL;
}

void tr_key_forget(tr_key *key) {
    OPENSSL_cleanse(key, sizeof *key);
}
