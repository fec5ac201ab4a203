/* Configurations from arbitrary bytes: read whole, and then every key of them is found by its name,
 * or refused with a message, and the present configuration does not change by a byte. */
#include "fuzz/target.h"

#include "server/config/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Called by the leak sanitizer: libconfig 1.5 keeps 64 bytes for each text in which a quote is not
 * closed. A daemon reads one at a SIGHUP at most. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libconfig.so";
}

/* A file without a name. */
static int file_of(const uint8_t *data, size_t size) {
    int file = memfd_create("config", MFD_CLOEXEC);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    return file;
}

static void check_accounts(const tr_config *config) {
    for (int i = 0; i < config->account_count; i++) {
        const tr_account *account = &config->account[i];
        if (!tr_key_name_is_valid(account->name) ||
            tr_config_account(config, account->name) != account)
            abort();
    }
}

static void check_read(const tr_config *config) {
    tr_error error = {0};
    check_accounts(config);
    if (tr_config_check(config, &error) && error.message[0] == '\0')
        abort();
    for (int i = 0; i < config->web_origins.count; i++)
        if (!tr_web_origin_is_valid(config->web_origins.origin[i]))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static tr_config config, before; /* not small */
    tr_error error = {0};
    char path[32];
    int file = file_of(data, size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    memset(&config, 0, sizeof config);
    tr_config_default(&config);
    memcpy(&before, &config, sizeof before);
    if (!tr_config_read(path, &config, &error))
        check_read(&config);
    else if (strncmp(error.message, path, strlen(path)) != 0 ||
             memcmp(&config, &before, sizeof config) != 0)
        abort();
    close(file);
    return 0;
}
