/* Policies from arbitrary files: NPZ, ONNX, or (if the bytes begin with '{') a description beside an
 * ONNX network. An agent that passes the kind's check, or an error with a message. */
#include "fuzz/target.h"

#include "learn/policy/policy_file.h"
#include "model/mjcf.h"

#include <stdlib.h>
#include <string.h>

/* An ONNX model: Add of the number 1, then Tanh, from `o` to `a`. */
static const char network[] = ":7\n\x0e\n\x01"
                              "o\n\x01"
                              "c\x12\x01"
                              "s\"\x03"
                              "Add\n\x0c\n\x01"
                              "s\x12\x01"
                              "a\"\x04"
                              "Tanh*\r\x08\x01\x10\x01\"\x04\0\0\x80?B\x01"
                              "cZ\x03\n\x01"
                              "ob\x03\n\x01"
                              "a";

static tr_model *shipped_model(void) {
    static tr_model *model;
    tr_error error;
    if (!model && tr_mjcf_load(TR_SOURCE_DIR "/controllers/model/humanoid.xml", &model, &error))
        abort();
    return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tr_policy_import import = {0};
    tr_error error = {0};
    char *text = size && data[0] == '{' ? strndup((const char *)data, size) : NULL;
    const tr_policy_bytes bytes = {"fuzz", text ? (const void *)network : (const void *)data,
                                   text ? sizeof network - 1 : size, text};
    tr_status status = tr_policy_import_parse(&bytes, shipped_model(), &import, &error);
    free(text);
    if (status && (import.agent || !error.message[0]))
        abort();
    if (!status) {
        const tr_driver_setting setting = {shipped_model(), import.step_s, import.agent->start,
                                           NULL};
        if (tr_driver_check((tr_driver){&tr_agent_kind, import.agent}, &setting, &error))
            abort();
        tr_agent_destroy(import.agent);
    }
    return 0;
}
