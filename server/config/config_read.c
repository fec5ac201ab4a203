/* The configuration's file: libconfig's syntax, and a table of settings. */
#include "server/config/config.h"

#include "proto/text_file.h"
#include "server/config/address.h"

#include <libconfig.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FILE_MAX = 1 << 20,
    PATH_MAX_BYTES = 128,
    THREADS_MAX = 256,
    CLIENTS_MAX = 1000000,
    STEP_MAX_MS = 60000
};

/* The position in the file, for messages. */
typedef struct reading {
    const char *file;
    tr_config *config;
    tr_error *error;
} reading;

/* Texts are not repeated: they may be secrets. */
static tr_status refuse(const reading *r, const config_setting_t *setting, const char *path,
                        const char *expected) {
    char found[40] = "";
    if (config_setting_type(setting) == CONFIG_TYPE_FLOAT)
        snprintf(found, sizeof found, ", found %g", config_setting_get_float(setting));
    else if (config_setting_is_number(setting))
        snprintf(found, sizeof found, ", found %lld", config_setting_get_int64(setting));
    return tr_fail(r->error, TR_INVALID_ARGUMENT, "%s:%u: %s: %s%s", r->file,
                   config_setting_source_line(setting), path, expected, found);
}

/* --- single values --- */

static tr_status read_text(const reading *r, const config_setting_t *setting, const char *path,
                           size_t capacity, char *out) {
    const char *text = config_setting_get_string(setting);
    char expected[64];
    if (!text || strlen(text) >= capacity) {
        snprintf(expected, sizeof expected, "expected a text in quotes, at most %zu bytes",
                 capacity - 1);
        return refuse(r, setting, path, expected);
    }
    memcpy(out, text, strlen(text) + 1);
    return TR_OK;
}

static tr_status read_int(const reading *r, const config_setting_t *setting, const char *path,
                          int highest, int *out) {
    int type = config_setting_type(setting);
    char expected[64];
    bool whole = type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64;
    long long value = whole ? config_setting_get_int64(setting) : -1;
    if (value < 0 || value > highest) {
        snprintf(expected, sizeof expected, "expected a whole number from 0 to %d", highest);
        return refuse(r, setting, path, expected);
    }
    *out = (int)value;
    return TR_OK;
}

static tr_status read_role(const reading *r, const config_setting_t *setting, const char *path,
                           tr_role *out) {
    const char *text = config_setting_get_string(setting);
    if (!text || !tr_role_parse(text, out))
        return refuse(r, setting, path,
                      "expected \"none\", \"spectator\", \"player\", \"director\" or \"admin\"");
    return TR_OK;
}

/* --- settings with a special form --- */

static tr_status read_address(const reading *r, const config_setting_t *setting, const char *path,
                              void *out) {
    char text[TR_HOST_TEXT_MAX];
    tr_status status = read_text(r, setting, path, sizeof text, text);
    if (status)
        return status;
    if (!tr_address_is_numeric(text))
        return refuse(r, setting, path, "expected a numeric address, as in \"127.0.0.1\"");
    memcpy(out, text, sizeof text);
    return TR_OK;
}

/* If a web port is configured, failing to open it is an error. */
static tr_status read_web_address(const reading *r, const config_setting_t *setting,
                                  const char *path, void *out) {
    const char *text = config_setting_get_string(setting);
    r->config->web_asked = true;
    if (!text || strcmp(text, "none") != 0)
        return read_address(r, setting, path, out);
    *(char *)out = '\0';
    return TR_OK;
}

static tr_status read_web_port(const reading *r, const config_setting_t *setting, const char *path,
                               void *out) {
    r->config->web_asked = true;
    return read_int(r, setting, path, 65535, out);
}

static tr_status read_file_name(const reading *r, const config_setting_t *setting, const char *path,
                                void *out) {
    return read_text(r, setting, path, TR_CONFIG_TEXT_MAX, out);
}

static tr_status read_state_dir(const reading *r, const config_setting_t *setting, const char *path,
                                void *out) {
    tr_status status = read_text(r, setting, path, TR_CONFIG_TEXT_MAX, out);
    if (!status && *(const char *)out == '\0')
        return refuse(r, setting, path, "expected a directory");
    return status;
}

static tr_status read_switch(const reading *r, const config_setting_t *setting, const char *path,
                             void *out) {
    if (config_setting_type(setting) != CONFIG_TYPE_BOOL)
        return refuse(r, setting, path, "expected true or false");
    *(bool *)out = config_setting_get_bool(setting) != 0;
    return TR_OK;
}

static tr_status read_relay(const reading *r, const config_setting_t *setting, const char *path,
                            void *out) {
    const char *text = config_setting_get_string(setting);
    if (!text || (text[0] != '\0' &&
                  !tr_address_split(text, out, TR_RELAY_HOST_MAX, &r->config->relay_port)))
        return refuse(r, setting, path, "expected \"host:port\" of a daemon, or \"\"");
    return TR_OK;
}

static tr_status read_log_level(const reading *r, const config_setting_t *setting, const char *path,
                                void *out) {
    const char *text = config_setting_get_string(setting);
    if (!text || !tr_log_level_parse(text, out))
        return refuse(r, setting, path, "expected \"error\", \"warn\", \"info\" or \"debug\"");
    return TR_OK;
}

static tr_status read_anonymous(const reading *r, const config_setting_t *setting, const char *path,
                                void *out) {
    r->config->anonymous_is_set = true;
    return read_role(r, setting, path, out);
}

static tr_status read_origins(const reading *r, const config_setting_t *setting, const char *path,
                              void *out) {
    tr_web_origins *origins = out;
    int type = config_setting_type(setting), count = config_setting_length(setting);
    if ((type != CONFIG_TYPE_ARRAY && type != CONFIG_TYPE_LIST) || count > TR_WEB_ORIGINS_MAX)
        return refuse(r, setting, path,
                      "expected at most 16 texts, as in [ \"https://play.example.org\" ]");
    for (int i = 0; i < count; i++) {
        const config_setting_t *text = config_setting_get_elem(setting, (unsigned)i);
        tr_status status = read_text(r, text, path, TR_WEB_ORIGIN_MAX, origins->origin[i]);
        if (status)
            return status;
        if (!tr_web_origin_is_valid(origins->origin[i]))
            return refuse(r, text, path, "expected http:// or https://, a host, perhaps a port");
    }
    origins->count = count;
    return TR_OK;
}

/* --- roles --- */

static const struct {
    const char *name;
    size_t offset;
} limits[] = {
    {"worlds", offsetof(tr_role_limits, worlds)},
    {"characters", offsetof(tr_role_limits, characters)},
    {"subscriptions", offsetof(tr_role_limits, subscriptions)},
    {"requests_per_s", offsetof(tr_role_limits, requests_per_s)},
    {"bytes_per_s", offsetof(tr_role_limits, bytes_per_s)},
    {"sent_bytes_per_s", offsetof(tr_role_limits, sent_bytes_per_s)},
    {"processor_percent", offsetof(tr_role_limits, processor_percent)},
};

static tr_status read_limit(const reading *r, const config_setting_t *setting, const char *path,
                            tr_role_limits *out) {
    const char *name = config_setting_name(setting);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (strcmp(name, limits[i].name) == 0)
            return read_int(r, setting, path, INT_MAX / 2, (int *)((char *)out + limits[i].offset));
    return refuse(r, setting, path,
                  "no such limit; expected worlds, characters, subscriptions, requests_per_s, "
                  "bytes_per_s, sent_bytes_per_s or processor_percent");
}

static tr_status read_roles(const reading *r, const config_setting_t *setting, const char *path,
                            void *out) {
    tr_role_limits *of_role = out;
    if (config_setting_type(setting) != CONFIG_TYPE_GROUP)
        return refuse(r, setting, path, "expected a group, as in { player = { worlds = 1; }; }");
    tr_status status = TR_OK;
    for (int i = 0; i < config_setting_length(setting) && !status; i++) {
        const config_setting_t *role = config_setting_get_elem(setting, (unsigned)i);
        char within[PATH_MAX_BYTES];
        tr_role which;
        snprintf(within, sizeof within, "%s.%s", path, config_setting_name(role));
        if (!tr_role_parse(config_setting_name(role), &which) || which == TR_ROLE_NONE ||
            config_setting_type(role) != CONFIG_TYPE_GROUP)
            return refuse(r, role, within,
                          "expected a group named spectator, player, director or admin");
        for (int k = 0; k < config_setting_length(role) && !status; k++) {
            const config_setting_t *limit = config_setting_get_elem(role, (unsigned)k);
            char full[2 * PATH_MAX_BYTES];
            snprintf(full, sizeof full, "%s.%s", within, config_setting_name(limit));
            status = read_limit(r, limit, full, &of_role[which]);
        }
    }
    return status;
}

/* --- keys --- */

static tr_status read_key_field(const reading *r, const config_setting_t *setting,
                                tr_account *out) {
    const char *name = config_setting_name(setting), *text = config_setting_get_string(setting);
    if (strcmp(name, "name") == 0) {
        tr_status status = read_text(r, setting, "keys.name", sizeof out->name, out->name);
        return status || tr_key_name_is_valid(out->name)
                   ? status
                   : refuse(r, setting, "keys.name", "expected 1 to 47 of a-z, 0-9 and '-'");
    }
    if (strcmp(name, "role") == 0)
        return read_role(r, setting, "keys.role", &out->role);
    if (strcmp(name, "hash") == 0)
        return text && tr_scram_verifier_parse(text, &out->verifier)
                   ? TR_OK
                   : refuse(r, setting, "keys.hash",
                            "expected \"SCRAM-SHA-256$...\"; 'trouped --make-key NAME' makes a key "
                            "and prints it");
    if (strcmp(name, "expires") == 0)
        return text && tr_expiry_parse(text, &out->expires_s)
                   ? TR_OK
                   : refuse(r, setting, "keys.expires",
                            "expected \"2027-01-31\" or \"2027-01-31T12:00:00Z\"");
    return refuse(r, setting, "keys", "no such field; expected name, role, hash or expires");
}

static tr_status read_key(const reading *r, const config_setting_t *setting, tr_account *out) {
    if (config_setting_type(setting) != CONFIG_TYPE_GROUP)
        return refuse(r, setting, "keys", "expected a group { name, role, hash }");
    *out = (tr_account){0};
    for (int i = 0; i < config_setting_length(setting); i++) {
        tr_status status = read_key_field(r, config_setting_get_elem(setting, (unsigned)i), out);
        if (status)
            return status;
    }
    if (!config_setting_get_member(setting, "name") ||
        !config_setting_get_member(setting, "role") || !config_setting_get_member(setting, "hash"))
        return refuse(r, setting, "keys", "expected name, role and hash");
    out->id = tr_account_id(out->name);
    return TR_OK;
}

static int compare_accounts(const void *a, const void *b) {
    return strcmp(((const tr_account *)a)->name, ((const tr_account *)b)->name);
}

static tr_status read_keys(const reading *r, const config_setting_t *setting, const char *path,
                           void *out) {
    tr_account *account = out;
    int count = config_setting_length(setting);
    if (config_setting_type(setting) != CONFIG_TYPE_LIST || count > TR_ACCOUNTS_MAX)
        return refuse(r, setting, path,
                      "expected a list in ( ) of at most 1024 groups { name, role, hash }");
    for (int i = 0; i < count; i++) {
        tr_status status = read_key(r, config_setting_get_elem(setting, (unsigned)i), &account[i]);
        if (status)
            return status;
    }
    qsort(account, (size_t)count, sizeof *account, compare_accounts);
    for (int i = 1; i < count; i++)
        if (strcmp(account[i - 1].name, account[i].name) == 0) {
            char expected[96];
            snprintf(expected, sizeof expected, "expected one key of the name \"%s\"",
                     account[i].name);
            return refuse(r, setting, path, expected);
        }
    r->config->account_count = count;
    return TR_OK;
}

/* --- the table --- */

typedef tr_status (*setting_reader)(const reading *r, const config_setting_t *setting,
                                    const char *path, void *out);

static const struct {
    const char *path;
    setting_reader read; /* NULL: a whole number from 0 to `most` */
    size_t offset;       /* in tr_config */
    int most;
} settings[] = {
    {"listen.address", read_address, offsetof(tr_config, host)},
    {"listen.port", NULL, offsetof(tr_config, port), 65535},
    {"listen.tls", read_switch, offsetof(tr_config, tls)},
    {"listen.certificate", read_file_name, offsetof(tr_config, certificate)},
    {"listen.private_key", read_file_name, offsetof(tr_config, private_key)},
    {"listen.plain_anywhere", read_switch, offsetof(tr_config, plain_anywhere)},
    {"web.address", read_web_address, offsetof(tr_config, web_host)},
    {"web.port", read_web_port, offsetof(tr_config, web_port)},
    {"web.root", read_file_name, offsetof(tr_config, web_root)},
    {"web.tls", read_switch, offsetof(tr_config, web_tls)},
    {"web.certificate", read_file_name, offsetof(tr_config, web_certificate)},
    {"web.private_key", read_file_name, offsetof(tr_config, web_private_key)},
    {"web.plain_anywhere", read_switch, offsetof(tr_config, web_plain_anywhere)},
    {"web.allowed_origins", read_origins, offsetof(tr_config, web_origins)},
    {"state_dir", read_state_dir, offsetof(tr_config, state_dir)},
    {"catalogue", read_file_name, offsetof(tr_config, catalogue)},
    {"shipped", read_file_name, offsetof(tr_config, shipped)},
    {"threads", NULL, offsetof(tr_config, threads), THREADS_MAX},
    {"processor.step_ms", NULL, offsetof(tr_config, step_ms), STEP_MAX_MS},
    {"processor.world_percent", NULL, offsetof(tr_config, world_percent), 100},
    {"max_clients", NULL, offsetof(tr_config, max_clients), CLIENTS_MAX},
    {"connections_per_address", NULL, offsetof(tr_config, connections_per_address), CLIENTS_MAX},
    {"anonymous", read_anonymous, offsetof(tr_config, anonymous)},
    {"roles", read_roles, offsetof(tr_config, limits)},
    {"keys", read_keys, offsetof(tr_config, account)},
    {"relay.upstream", read_relay, offsetof(tr_config, relay_host)},
    {"relay.tls", read_switch, offsetof(tr_config, relay_tls)},
    {"relay.ca", read_file_name, offsetof(tr_config, relay_ca)},
    {"relay.key_file", read_file_name, offsetof(tr_config, relay_key_file)},
    {"relay.subscriptions", NULL, offsetof(tr_config, relay_subscriptions), CLIENTS_MAX},
    {"fleet.agones", read_switch, offsetof(tr_config, agones)},
    {"fleet.drain_s", NULL, offsetof(tr_config, drain_s), TR_DRAIN_MAX_S},
    {"fleet.worlds", NULL, offsetof(tr_config, worlds), CLIENTS_MAX},
    {"training.clips", read_file_name, offsetof(tr_config, training_clips)},
    {"training.program", read_file_name, offsetof(tr_config, training_program)},
    {"training.limit", NULL, offsetof(tr_config, training_limit), TR_TRAININGS_MAX},
    {"training.threads", NULL, offsetof(tr_config, training_threads), TR_TRAININGS_MAX},
    {"log.level", read_log_level, offsetof(tr_config, log_level)},
};
enum { SETTING_COUNT = sizeof settings / sizeof *settings };

static bool is_section(const char *path) {
    size_t size = strlen(path);
    for (int i = 0; i < SETTING_COUNT; i++)
        if (strncmp(settings[i].path, path, size) == 0 && settings[i].path[size] == '.')
            return true;
    return false;
}

static tr_status read_setting(const reading *r, const config_setting_t *setting, const char *path) {
    for (int i = 0; i < SETTING_COUNT; i++) {
        void *out = (char *)r->config + settings[i].offset;
        if (strcmp(settings[i].path, path) == 0)
            return settings[i].read ? settings[i].read(r, setting, path, out)
                                    : read_int(r, setting, path, settings[i].most, out);
    }
    return refuse(r, setting, path, "no such setting");
}

static tr_status read_section(const reading *r, const config_setting_t *section) {
    for (int i = 0; i < config_setting_length(section); i++) {
        const config_setting_t *setting = config_setting_get_elem(section, (unsigned)i);
        char path[PATH_MAX_BYTES];
        snprintf(path, sizeof path, "%s.%s", config_setting_name(section),
                 config_setting_name(setting));
        tr_status status = read_setting(r, setting, path);
        if (status)
            return status;
    }
    return TR_OK;
}

static tr_status read_root(const reading *r, const config_setting_t *root) {
    tr_status status = TR_OK;
    for (int i = 0; i < config_setting_length(root) && !status; i++) {
        const config_setting_t *setting = config_setting_get_elem(root, (unsigned)i);
        const char *name = config_setting_name(setting);
        if (!is_section(name))
            status = read_setting(r, setting, name);
        else if (config_setting_type(setting) == CONFIG_TYPE_GROUP)
            status = read_section(r, setting);
        else
            status = refuse(r, setting, name, "expected a group of settings in { }");
    }
    return status;
}

/* --- the file --- */

/* All settings must be in one file; libconfig would follow "@include" at the start of a line. */
static tr_status refuse_includes(const char *path, const char *text, tr_error *error) {
    int line = 1;
    for (const char *at = text; at; line++) {
        at += strspn(at, " \t");
        if (strncmp(at, "@include", 8) == 0)
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "%s:%d: @include: expected all settings in one file", path, line);
        at = strchr(at, '\n');
        at = !at ? NULL : at + 1;
    }
    return TR_OK;
}

static tr_status parse(const char *path, const char *text, tr_config *config, tr_error *error) {
    config_t parsed;
    reading r = {.file = path, .config = config, .error = error};
    tr_status status = refuse_includes(path, text, error);
    if (status)
        return status;
    config_init(&parsed);
    if (config_read_string(&parsed, text) == CONFIG_TRUE)
        status = read_root(&r, config_root_setting(&parsed));
    else
        status = tr_text_refuse_settings(path, text, config_error_line(&parsed),
                                         config_error_text(&parsed), error);
    config_destroy(&parsed);
    return status;
}

tr_status tr_config_read(const char *path, tr_config *config, tr_error *error) {
    char *text = NULL;
    size_t size = 0;
    tr_status status = tr_text_file_read(path, FILE_MAX, &text, &size, error);
    if (status)
        return status;
    tr_config *changed = malloc(sizeof *changed);
    if (changed) {
        *changed = *config;
        status = parse(path, text, changed, error);
        if (!status)
            *config = *changed;
    } else {
        status = tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    }
    free(changed);
    free(text);
    return status;
}
