#include "cli/match_batch.h"

#include "cli/failure.h"
#include "client/c/scene.h"
#include "proto/frame.h"
#include "proto/message.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS_MAX = 12 };

extern char **environ;

/* The words before "-n RANKS". Only rank 0 reads the match. */
static const struct {
    const char *name, *words[3], *needs;
} launchers[] = {
    {"mpi", {"mpirun"}, "Install Open MPI (Debian's openmpi-bin)."},
    {"slurm", {"srun", "--mpi=pmix", "--input=0"}, "Install Slurm (Debian's slurm-client)."},
};

static int find_launcher(const char *name) {
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (strcmp(launchers[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* --- the job --- */

typedef struct job {
    pid_t pid;
    int in, out; /* its standard input and output */
} job;

static void put_words(const tr_cli_match_batch *batch, int launcher, char ranks[24],
                      const char *words[WORDS_MAX]) {
    const char *program = getenv("TROUPE_BOUTS");
    int count = 0;
    for (int i = 0; i < 3 && launchers[launcher].words[i]; i++)
        words[count++] = launchers[launcher].words[i];
    snprintf(ranks, 24, "%lld", (long long)batch->ranks);
    if (batch->ranks != TR_CLI_RANKS_OF_JOB) {
        words[count++] = "-n";
        words[count++] = ranks;
    }
    words[count++] = program && program[0] ? program : "troupe-bouts";
    words[count++] = "--catalogue";
    words[count++] = batch->catalogue;
    words[count] = NULL;
}

/* Both ends are closed in the job but for its standard input and output. */
static int spawn(const char *const *words, job *out) {
    int in[2] = {-1, -1}, results[2] = {-1, -1};
    posix_spawn_file_actions_t actions;
    if (pipe2(in, O_CLOEXEC) != 0)
        return errno;
    if (pipe2(results, O_CLOEXEC) != 0) {
        close(in[0]);
        close(in[1]);
        return errno;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, results[1], 1);
    *out = (job){.in = in[1], .out = results[0]};
    int failure = posix_spawnp(&out->pid, words[0], &actions, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(results[1]);
    if (failure) {
        close(out->in);
        close(out->out);
    }
    return failure;
}

static int start(const tr_cli_match_batch *batch, int launcher, job *out) {
    const char *words[WORDS_MAX];
    char ranks[24], text[160];
    put_words(batch, launcher, ranks, words);
    int failure = spawn(words, out);
    if (!failure)
        return TR_EXIT_OK;
    snprintf(text, sizeof text, "--on %s: %s cannot be started: %s", batch->launcher, words[0],
             strerror(failure));
    tr_cli_fail(TR_FAILED_PRECONDITION, text, launchers[launcher].needs);
    return TR_EXIT_FILE;
}

/* A job that ends early does not read it; its exit code shows that. */
static void give(job *j, const uint8_t *bytes, size_t size) {
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    while (size > 0) {
        ssize_t written = write(j->in, bytes, size);
        if (written < 0 && errno != EINTR)
            break;
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    close(j->in);
    signal(SIGPIPE, before);
}

/* --- its results --- */

static tr_status show_page(const tr_cli_match_batch *batch, tr_frame_view frame) {
    ProtobufCMessage *message = NULL;
    tr_status status =
        tr_message_decode(&troupe__server_message__descriptor, frame.data, frame.size, &message);
    if (status)
        return status;
    tr_reply_box *box = tr_reply_box_create((Troupe__ServerMessage *)message);
    status = box ? tr_reply_decode(box) : TR_RESOURCE_EXHAUSTED;
    if (!status && box->reply.kind == TR_CLIENT_REPLY_MATCH_DETAIL)
        batch->page(batch->context, &box->reply.match_detail);
    else if (!status)
        status = TR_DATA_LOSS;
    tr_reply_box_destroy(box);
    return status;
}

static tr_status take_pages(const tr_cli_match_batch *batch, tr_frame_decoder *decoder,
                            const uint8_t *bytes, size_t size) {
    tr_status status = TR_OK;
    while (size > 0 && !status) {
        tr_frame_view frame;
        status = tr_frame_decoder_take(decoder, &bytes, &size, &frame);
        if (!status && frame.data)
            status = show_page(batch, frame);
    }
    return status;
}

/* Reads to the end even after a damaged page: a pipe closed early would stop the job. */
static tr_status take_results(const tr_cli_match_batch *batch, job *j) {
    uint8_t bytes[65536];
    tr_frame_decoder decoder;
    tr_status status = TR_OK;
    tr_frame_decoder_init(&decoder, TR_FRAME_SERVER_MAX);
    for (ssize_t size = 1; size > 0 || (size < 0 && errno == EINTR);) {
        size = read(j->out, bytes, sizeof bytes);
        if (size < 0 && errno != EINTR)
            status = TR_UNAVAILABLE;
        if (size > 0 && !status)
            status = take_pages(batch, &decoder, bytes, (size_t)size);
    }
    if (!status && tr_frame_decoder_in_progress(&decoder))
        status = TR_DATA_LOSS;
    tr_frame_decoder_deinit(&decoder);
    close(j->out);
    return status;
}

/* The job has printed why it failed. */
static int await(const tr_cli_match_batch *batch, int launcher, job *j) {
    int how = 0;
    char text[64];
    tr_status status = take_results(batch, j);
    while (waitpid(j->pid, &how, 0) < 0 && errno == EINTR)
        ;
    snprintf(text, sizeof text, "the job of %s has failed", launchers[launcher].words[0]);
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0)
        return tr_cli_fail(TR_ABORTED, text, "The reason stands above.");
    return status ? tr_cli_fail(
                        status, "the results of the bouts cannot be read",
                        "They are stored in the catalogue: the same command prints them again.")
                  : TR_EXIT_OK;
}

static int run(const tr_cli_match_batch *batch, int launcher) {
    tr_mapping_memory memory = {0};
    tr_error error = {0};
    job j = {0};
    const Troupe__Match *match = tr_match_message(batch->match, &memory, &error);
    size_t size = match ? protobuf_c_message_get_packed_size(&match->base) : 0;
    uint8_t *bytes = match ? malloc(size) : NULL;
    int code = bytes   ? start(batch, launcher, &j)
               : match ? tr_cli_fail(TR_RESOURCE_EXHAUSTED, "no memory for the match", NULL)
                       : tr_cli_fail(error.status, error.message, NULL);
    if (code == TR_EXIT_OK) {
        protobuf_c_message_pack(&match->base, bytes);
        give(&j, bytes, size);
        code = await(batch, launcher, &j);
    }
    free(bytes);
    tr_mapping_free(&memory);
    return code;
}

int tr_cli_match_batch_run(const tr_cli_match_batch *batch) {
    int launcher = find_launcher(batch->launcher);
    if (launcher < 0)
        return tr_cli_usage_error("--on %s: expected mpi or slurm", batch->launcher);
    if (!batch->catalogue)
        return tr_cli_usage_error("--on %s: expected --catalogue FILE, which has the controllers "
                                  "and gets the results",
                                  batch->launcher);
    if (batch->ranks != TR_CLI_RANKS_OF_JOB && (batch->ranks < 1 || batch->ranks > 65536))
        return tr_cli_usage_error("--ranks %lld: expected 1 to 65536", (long long)batch->ranks);
    return run(batch, launcher);
}
