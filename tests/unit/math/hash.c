/* FNV-1a against the vectors that its authors publish: checksums on disk depend on it. */
#include "cmocka_test.h"

#include "math/hash.h"

#include <string.h>

TEST(test_published_vectors) {
    static const struct {
        const char *text;
        uint64_t hash;
    } vectors[] = {{"", 0xcbf29ce484222325ULL},
                   {"a", 0xaf63dc4c8601ec8cULL},
                   {"foobar", 0x85944171f73967e8ULL}};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        const char *text = vectors[i].text;
        assert_true(tr_hash_add(TR_HASH_START, text, strlen(text)) == vectors[i].hash);
    }
}

TEST(test_parts_hash_as_the_whole) {
    uint64_t parts = tr_hash_add(tr_hash_add(TR_HASH_START, "foo", 3), "bar", 3);
    assert_true(parts == tr_hash_add(TR_HASH_START, "foobar", 6));
}
