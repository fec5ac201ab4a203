/* Messages of both directions from arbitrary bytes: an error, or a message that encodes to what
 * decodes to itself. */
#include "fuzz/target.h"

#include "proto/message.h"
#include "troupe/envelope.pb-c.h"

#include <stdlib.h>
#include <string.h>

static void check(const ProtobufCMessageDescriptor *type, const uint8_t *data, size_t size) {
    ProtobufCMessage *message = NULL, *again = NULL;
    if (tr_message_decode(type, data, size, &message))
        return;
    uint8_t *first = NULL, *second = NULL;
    size_t first_size = 0, second_size = 0, length = protobuf_c_message_get_packed_size(message);
    if (tr_message_frame(message, SIZE_MAX, &first, &first_size))
        abort();
    if (tr_message_decode(type, first + (first_size - length), length, &again))
        abort();
    if (tr_message_frame(again, SIZE_MAX, &second, &second_size))
        abort();
    if (first_size != second_size || memcmp(first, second, first_size) != 0)
        abort();
    free(first);
    free(second);
    tr_message_destroy(message);
    tr_message_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check(&troupe__client_message__descriptor, data, size);
    check(&troupe__server_message__descriptor, data, size);
    return 0;
}
