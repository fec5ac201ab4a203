#include "db/store/digest.h"

#include <openssl/evp.h>
#include <string.h>

void tr_digest_format(const tr_digest *digest, char *out) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < sizeof digest->byte; i++) {
        *out++ = digits[digest->byte[i] >> 4];
        *out++ = digits[digest->byte[i] & 15];
    }
    *out = '\0';
}

bool tr_digest_parse(const char *text, tr_digest *out) {
    static const char digits[] = "0123456789abcdef";
    if (strlen(text) != TR_DIGEST_TEXT_MAX - 1 || strspn(text, digits) != TR_DIGEST_TEXT_MAX - 1)
        return false;
    for (size_t i = 0; i < sizeof out->byte; i++)
        out->byte[i] = (uint8_t)((strchr(digits, text[2 * i]) - digits) << 4 |
                                 (strchr(digits, text[2 * i + 1]) - digits));
    return true;
}

bool tr_digest_equal(const tr_digest *a, const tr_digest *b) {
    return memcmp(a->byte, b->byte, sizeof a->byte) == 0;
}

tr_digest_writer tr_digest_begin(const char *noun) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool ready = context && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1;
    tr_digest_writer writer = {context, ready ? TR_OK : TR_RESOURCE_EXHAUSTED};
    if (noun)
        tr_digest_add_text(&writer, noun);
    return writer;
}

void tr_digest_add_bytes(tr_digest_writer *writer, const void *data, size_t size) {
    if (!writer->status && EVP_DigestUpdate(writer->context, data, size) != 1)
        writer->status = TR_RESOURCE_EXHAUSTED;
}

void tr_digest_add_int(tr_digest_writer *writer, int64_t value) {
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)((uint64_t)value >> (8 * i));
    tr_digest_add_bytes(writer, bytes, sizeof bytes);
}

void tr_digest_add_double(tr_digest_writer *writer, double value) {
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    tr_digest_add_int(writer, bits);
}

void tr_digest_add_blob(tr_digest_writer *writer, const void *data, size_t size) {
    tr_digest_add_int(writer, (int64_t)size);
    tr_digest_add_bytes(writer, data, size);
}

void tr_digest_add_text(tr_digest_writer *writer, const char *text) {
    tr_digest_add_blob(writer, text, strlen(text));
}

void tr_digest_add_digest(tr_digest_writer *writer, const tr_digest *digest) {
    tr_digest_add_bytes(writer, digest->byte, sizeof digest->byte);
}

tr_status tr_digest_end(tr_digest_writer *writer, tr_digest *out) {
    tr_digest result;
    tr_status status = writer->status;
    if (!status && EVP_DigestFinal_ex(writer->context, result.byte, NULL) != 1)
        status = TR_RESOURCE_EXHAUSTED;
    EVP_MD_CTX_free(writer->context);
    if (!status)
        *out = result;
    return status;
}
