#include <openssl/evp.h>

#include <sha2.h>
#include <stdlib.h>

struct EVP_MD_CTX {
    SHA2_CTX sha;
};

EVP_MD_CTX *EVP_MD_CTX_new(void) {
    return malloc(sizeof(EVP_MD_CTX));
}

void EVP_MD_CTX_free(EVP_MD_CTX *context) {
    free(context);
}

const EVP_MD *EVP_sha256(void) {
    return NULL; /* there is one kind */
}

int EVP_DigestInit_ex(EVP_MD_CTX *context, const EVP_MD *type, void *engine) {
    (void)type;
    (void)engine;
    SHA256Init(&context->sha);
    return 1;
}

int EVP_DigestUpdate(EVP_MD_CTX *context, const void *data, size_t size) {
    SHA256Update(&context->sha, data, size);
    return 1;
}

int EVP_DigestFinal_ex(EVP_MD_CTX *context, unsigned char *out, unsigned *size) {
    if (size)
        *size = SHA256_DIGEST_LENGTH;
    SHA256Final(out, &context->sha);
    return 1;
}
