/* troupe: the command line client of trouped. */
#include "cli/failure.h"
#include "cli/hosts.h"
#include "proto/sink.h"
#include "proto/suggest.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The entries, in the order of help, by the list in client/CMakeLists.txt. */
#define X(name) extern const tr_cli_command tr_cli_command_##name;
#include "cli_commands.inc"
#undef X

const tr_cli_command *const tr_cli_commands[] = {
#define X(name) &tr_cli_command_##name,
#include "cli_commands.inc"
#undef X
    NULL};

static const tr_cli_command *find_command(const char *name) {
    for (const tr_cli_command *const *c = tr_cli_commands; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

static int no_such_command(const char *word) {
    enum { COMMAND_MAX = 64 };
    const char *names[COMMAND_MAX] = {"help"};
    char meant[80];
    int count = 1;
    for (const tr_cli_command *const *c = tr_cli_commands; *c && count < COMMAND_MAX; c++)
        names[count++] = (*c)->name;
    tr_suggest_text(tr_suggest_nearest(word, names, count), meant);
    return tr_cli_usage_error("no such command: '%s'%s%s 'troupe help' lists them", word, meant,
                              meant[0] ? "" : ";");
}

/* --- help --- */

static void print_overview(void) {
    puts("troupe: control trouped, the server of physics-based characters\n\n"
         "usage: troupe [--host HOST] [--port PORT] [--hosts LIST] [--timeout SECONDS]\n"
         "              [--key-file FILE] [--tls] [--ca FILE] COMMAND ... [--json]\n");
    for (const tr_cli_command *const *c = tr_cli_commands; *c; c++)
        printf("  %-16s %s\n", (*c)->name, (*c)->summary);
    puts("  help [COMMAND]   print this, or explain a command and give examples\n"
         "  --version        print the client's version; 'troupe status' prints the daemon's\n\n"
         "The daemon's address is 127.0.0.1:7400, TROUPE_ADDRESS=host:port, or --host and --port.\n"
         "--hosts LIST (or TROUPE_HOSTS) names several: HOST[:PORT],... or a DNS name of SRV "
         "records, "
         "_troupe._tcp.DOMAIN.\nA command about a world then goes to the daemon that has it, "
         "'troupe "
         "worlds' to all, others to the first.\n"
         "--key-file FILE (or TROUPE_KEY_FILE) holds your key. --tls (or TROUPE_TLS=1) connects by "
         "TLS 1.3\nand trusts the certificates in --ca FILE (or TROUPE_CA), else the system's.\n"
         "A command waits 10 s for an answer, or --timeout SECONDS.\n\n"
         "A first session:\n"
         "  troupe create-world arena\n"
         "  troupe spawn arena run --label runner\n"
         "  troupe push arena runner 0,120,0\n"
         "  troupe watch arena --for 5\n\n"
         "Exit codes: 0 done; 1 the daemon refused; 2 wrong command line; 3 cannot connect, or "
         "connection lost;\n"
         "4 no answer in time; 5 a local file cannot be read or written.");
}

static int help(int count, char **words) {
    if (count == 0) {
        print_overview();
        return TR_EXIT_OK;
    }
    const tr_cli_command *command = find_command(words[0]);
    if (!command)
        return no_such_command(words[0]);
    tr_cli_print_help(command);
    return TR_EXIT_OK;
}

/* --- options before the command --- */

static bool copy(char *to, size_t capacity, const char *text) {
    return text[0] && snprintf(to, capacity, "%s", text) < (int)capacity;
}

/* Reads the environment, before the options. */
static void take_environment(tr_cli *cli) {
    const char *key_file = getenv("TROUPE_KEY_FILE"), *ca = getenv("TROUPE_CA");
    const char *tls = getenv("TROUPE_TLS");
    if (key_file)
        (void)copy(cli->key_file, sizeof cli->key_file, key_file);
    if (ca)
        (void)copy(cli->ca, sizeof cli->ca, ca);
    cli->tls = tls && strcmp(tls, "1") == 0;
}

/* Words that may be given instead of a command. */
static bool is_question(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "--version") == 0;
}

/* Takes options up to the command's name; returns its index, or -1 after printing an error. */
static int take_options(tr_cli *cli, int count, char **words, const char **out_hosts) {
    const char *hosts = *out_hosts;
    double seconds = cli->timeout_ms * 1e-3;
    const tr_option options[] = {
        {"host", TR_OPTION_CHARS, cli->host, 0, sizeof cli->host - 1},
        {"port", TR_OPTION_COUNT, &cli->port, 1, 65535},
        {"hosts", TR_OPTION_TEXT, &hosts, 0, 0},
        {"timeout", TR_OPTION_NUMBER, &seconds, 0.001, 86400},
        {"key-file", TR_OPTION_CHARS, cli->key_file, 0, sizeof cli->key_file - 1},
        {"tls", TR_OPTION_FLAG, &cli->tls, 0, 0},
        {"ca", TR_OPTION_CHARS, cli->ca, 0, sizeof cli->ca - 1}};
    const tr_option_table table = {options, sizeof options / sizeof *options, true};
    tr_error error = {0};
    int first = 0, end = 1;
    while (end < count && !is_question(words[end]))
        end++;
    tr_status status = tr_option_take(&table, end - 1, words + 1, &first, &error);
    cli->timeout_ms = (int)(seconds * 1000 + 0.5);
    *out_hosts = hosts;
    if (!status)
        return first + 1;
    (void)tr_cli_usage_error("%s%s", error.message,
                             status == TR_NOT_FOUND ? "; 'troupe help' lists those before a command"
                                                    : "");
    return -1;
}

/* Removes --json, which may be anywhere, and returns the number of words left. */
static int take_json(tr_cli *cli, int count, char **words) {
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (i > 0 && strcmp(words[i], "--json") == 0)
            cli->json = true;
        else
            words[kept++] = words[i];
    return kept;
}

/* The world that a command is about, by its arguments; NULL: none. */
static const char *world_of(const tr_cli_command *command, const void *values) {
    for (const tr_argument *a = command->argument; a->usage; a++)
        if (strcmp(a->usage, "WORLD") == 0 || strcmp(a->usage, "[WORLD]") == 0)
            return *(const char *const *)((const char *)values + a->offset);
    return NULL;
}

static int connect_for(tr_cli *cli, const tr_cli_command *command, const void *values) {
    const char *world = world_of(command, values);
    if (command->is_local && command->is_local(values))
        return TR_EXIT_OK;
    if (!cli->hosts)
        return tr_cli_connect(cli);
    return command->everywhere && !world ? TR_EXIT_OK : tr_cli_hosts_connect(cli, world);
}

static int run(tr_cli *cli, int count, char **words) {
    _Alignas(max_align_t) char values[TR_CLI_VALUES_MAX] = {0};
    const tr_cli_command *command = find_command(words[0]);
    if (!command)
        return no_such_command(words[0]);
    assert(command->values_size <= sizeof values);
    for (int i = 1; i < count; i++)
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0)
            return help(1, words);
    if (!tr_cli_parse(command, count - 1, words + 1, values))
        return TR_EXIT_USAGE;
    tr_cli_fail_as(command);
    int code = tr_cli_read_key(cli);
    if (code == TR_EXIT_OK)
        code = connect_for(cli, command, values);
    if (code == TR_EXIT_OK)
        code = command->send ? tr_cli_act(cli, values, command->send, command->done)
                             : command->run(cli, values);
    tr_client_close(cli->client);
    memset(cli->key, 0, sizeof cli->key);
    return code;
}

static int run_line(int count, char **words) {
    enum { TIMEOUT_MS = 10000 };
    tr_client_def preset = tr_client_def_default();
    tr_cli cli = {.port = preset.port, .timeout_ms = TIMEOUT_MS};
    (void)copy(cli.host, sizeof cli.host, preset.host);
    const char *address = getenv("TROUPE_ADDRESS");
    if (address && address[0] && !tr_cli_parse_address(address, &cli))
        return tr_cli_usage_error("TROUPE_ADDRESS=%s: expected host:port", address);
    take_environment(&cli);
    count = take_json(&cli, count, words);
    if (cli.json)
        tr_cli_fail_in_json();
    const char *hosts_text = getenv("TROUPE_HOSTS");
    int at = take_options(&cli, count, words, &hosts_text);
    if (at < 0)
        return TR_EXIT_USAGE;
    if (at >= count) {
        print_overview();
        return TR_EXIT_USAGE;
    }
    if (strcmp(words[at], "--version") == 0) {
        puts("troupe " TR_VERSION);
        return TR_EXIT_OK;
    }
    if (strcmp(words[at], "help") == 0 || words[at][0] == '-')
        return help(count - at - 1, words + at + 1);
    static tr_cli_hosts hosts;
    int code = TR_EXIT_OK;
    if (hosts_text && hosts_text[0]) {
        code = tr_cli_hosts_read(&cli, hosts_text, &hosts);
        cli.hosts = &hosts;
    }
    return code ? code : run(&cli, count - at, words + at);
}

int main(int count, char **words) {
    return tr_standard_output_end("troupe", run_line(count, words));
}
