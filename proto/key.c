#include "proto/key.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <stdio.h>
#include <string.h>

enum { SECRET_SIZE = TR_KEY_SALT_SIZE + TR_KEY_HASH_SIZE, SECRET_TEXT = SECRET_SIZE / 3 * 4 };

_Static_assert(SECRET_SIZE % 3 == 0, "base64 without padding");
_Static_assert(TR_KEY_TEXT_MAX == TR_KEY_NAME_MAX + 1 + SECRET_TEXT, "NAME.SECRET fits");

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

bool tr_key_name_is_valid(const char *name) {
    size_t size = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return size > 0 && size < TR_KEY_NAME_MAX && name[size] == '\0';
}

/* --- base64url of the secret --- */

static void encode_secret(const uint8_t secret[SECRET_SIZE], char *out) {
    for (int i = 0; i < SECRET_SIZE; i += 3) {
        uint32_t word = (uint32_t)secret[i] << 16 | (uint32_t)secret[i + 1] << 8 | secret[i + 2];
        for (int k = 0; k < 4; k++)
            *out++ = digits[word >> (18 - 6 * k) & 63];
    }
    *out = '\0';
}

static bool decode_secret(const char *text, uint8_t out[SECRET_SIZE]) {
    if (strlen(text) != SECRET_TEXT)
        return false;
    for (int i = 0; i < SECRET_SIZE; i += 3) {
        uint32_t word = 0;
        for (int k = 0; k < 4; k++) {
            const char *digit = strchr(digits, *text++);
            if (digit == NULL)
                return false;
            word = word << 6 | (uint32_t)(digit - digits);
        }
        out[i] = (uint8_t)(word >> 16);
        out[i + 1] = (uint8_t)(word >> 8);
        out[i + 2] = (uint8_t)word;
    }
    return true;
}

/* --- the equations --- */

/* M(key, label | middle | name). */
static void mac(const uint8_t key[TR_KEY_HASH_SIZE], const char *label, const uint8_t *middle,
                size_t middle_size, const char *name, uint8_t out[TR_KEY_HASH_SIZE]) {
    uint8_t text[32 + TR_KEY_HASH_SIZE + TR_KEY_NAME_MAX];
    size_t size = 0;
    for (const char *at = label; *at != '\0'; at++)
        text[size++] = (uint8_t)*at;
    memcpy(text + size, middle, middle_size);
    size += middle_size;
    for (const char *at = name; *at != '\0'; at++)
        text[size++] = (uint8_t)*at;
    HMAC(EVP_sha256(), key, TR_KEY_HASH_SIZE, text, size, out, NULL);
}

static void hash(const uint8_t in[TR_KEY_HASH_SIZE], uint8_t out[TR_KEY_HASH_SIZE]) {
    EVP_Digest(in, TR_KEY_HASH_SIZE, out, NULL, EVP_sha256(), NULL);
}

static void client_key(const uint8_t secret[SECRET_SIZE], const char *name,
                       uint8_t out[TR_KEY_HASH_SIZE]) {
    mac(secret + TR_KEY_SALT_SIZE, "troupe client key", secret, TR_KEY_SALT_SIZE, name, out);
}

/* out = in xor M(S, "troupe login" | n | NAME): from C to P, and back. */
static void mask(const uint8_t in[TR_KEY_HASH_SIZE], const uint8_t stored[TR_KEY_HASH_SIZE],
                 const uint8_t challenge[TR_KEY_HASH_SIZE], const char *name,
                 uint8_t out[TR_KEY_HASH_SIZE]) {
    uint8_t pad[TR_KEY_HASH_SIZE];
    mac(stored, "troupe login", challenge, TR_KEY_HASH_SIZE, name, pad);
    for (int i = 0; i < TR_KEY_HASH_SIZE; i++)
        out[i] = in[i] ^ pad[i];
}

/* --- for client and daemon --- */

tr_status tr_key_make(const char *name, char out_text[TR_KEY_TEXT_MAX],
                      uint8_t out_stored[TR_KEY_HASH_SIZE]) {
    uint8_t secret[SECRET_SIZE], c[TR_KEY_HASH_SIZE];
    char encoded[SECRET_TEXT + 1];
    if (!tr_key_name_is_valid(name))
        return TR_INVALID_ARGUMENT;
    if (RAND_priv_bytes(secret, sizeof secret) != 1)
        return TR_INTERNAL;
    encode_secret(secret, encoded);
    snprintf(out_text, TR_KEY_TEXT_MAX, "%s.%s", name, encoded);
    client_key(secret, name, c);
    hash(c, out_stored);
    OPENSSL_cleanse(secret, sizeof secret);
    OPENSSL_cleanse(encoded, sizeof encoded);
    OPENSSL_cleanse(c, sizeof c);
    return TR_OK;
}

tr_status tr_key_challenge(uint8_t out[TR_KEY_HASH_SIZE]) {
    return RAND_bytes(out, TR_KEY_HASH_SIZE) == 1 ? TR_OK : TR_INTERNAL;
}

tr_status tr_key_prove(const char *text, const uint8_t challenge[TR_KEY_HASH_SIZE],
                       char out_name[TR_KEY_NAME_MAX], uint8_t out_proof[TR_KEY_HASH_SIZE]) {
    uint8_t secret[SECRET_SIZE], c[TR_KEY_HASH_SIZE], stored[TR_KEY_HASH_SIZE];
    char name[TR_KEY_NAME_MAX];
    const char *dot = strchr(text, '.');
    size_t size = dot == NULL ? 0 : (size_t)(dot - text);
    if (size == 0 || size >= sizeof name)
        return TR_INVALID_ARGUMENT;
    memcpy(name, text, size);
    name[size] = '\0';
    if (!tr_key_name_is_valid(name) || !decode_secret(dot + 1, secret))
        return TR_INVALID_ARGUMENT;
    client_key(secret, name, c);
    hash(c, stored);
    mask(c, stored, challenge, name, out_proof);
    memcpy(out_name, name, size + 1);
    OPENSSL_cleanse(secret, sizeof secret);
    OPENSSL_cleanse(c, sizeof c);
    return TR_OK;
}

bool tr_key_check(const char *name, const uint8_t stored[TR_KEY_HASH_SIZE],
                  const uint8_t challenge[TR_KEY_HASH_SIZE],
                  const uint8_t proof[TR_KEY_HASH_SIZE]) {
    uint8_t c[TR_KEY_HASH_SIZE], found[TR_KEY_HASH_SIZE];
    mask(proof, stored, challenge, name, c);
    hash(c, found);
    OPENSSL_cleanse(c, sizeof c);
    return CRYPTO_memcmp(found, stored, TR_KEY_HASH_SIZE) == 0;
}
