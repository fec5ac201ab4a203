/* What the catalogue uses of libcrypto: SHA-256, by libmd. */
#pragma once

#include <stddef.h>

typedef struct EVP_MD_CTX EVP_MD_CTX;
typedef struct EVP_MD EVP_MD;

EVP_MD_CTX *EVP_MD_CTX_new(void);
void EVP_MD_CTX_free(EVP_MD_CTX *context);
const EVP_MD *EVP_sha256(void);
int EVP_DigestInit_ex(EVP_MD_CTX *context, const EVP_MD *type, void *engine);
int EVP_DigestUpdate(EVP_MD_CTX *context, const void *data, size_t size);
int EVP_DigestFinal_ex(EVP_MD_CTX *context, unsigned char *out, unsigned *size);
