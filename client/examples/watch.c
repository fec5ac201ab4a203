/* Spawns a runner into world 1, pushes it, and watches it for ten seconds. */
#include <stdio.h>
#include <troupe/client.h>

static void on_state(void *user, tr_client *client, const tr_client_state *state) {
    (void)user, (void)client;
    for (int i = 0; i < state->character_count; ++i)
        printf("%6.2f s  %-12s x %6.2f  y %6.2f  %s\n", state->time_s,
               state->characters[i].controller, (double)state->characters[i].root_pos[0],
               (double)state->characters[i].root_pos[1],
               state->characters[i].fallen ? "fallen" : "up");
}

int main(void) {
    tr_client *client;
    tr_error error;
    const tr_client_reply *reply;
    tr_client_def def = tr_client_def_default();
    def.on_state = on_state;
    if (tr_client_connect(&def, &client, &error) != TR_OK)
        return fprintf(stderr, "%s\n", error.message), 1;
    tr_client_at here = {.world = 1};
    uint64_t request =
        tr_client_spawn_character(client, here, &(tr_client_spawn_def){.controller = "run"});
    if (tr_client_await(client, request, 5000, &reply, &error) != TR_OK)
        return fprintf(stderr, "%s\n", error.message), 1;
    tr_client_push_def push = {
        .entity = reply->applied.entity, .force = {0, 100, 0}, .duration_s = 0.2};
    tr_client_on_reply(client, tr_client_push(client, here, &push), NULL, NULL);
    tr_client_subscribe_def watch = {.world = 1, .rate_hz = 2};
    tr_client_on_reply(client, tr_client_subscribe(client, &watch), NULL, NULL);
    tr_status status = tr_client_run(client, 10000, &error);
    tr_client_close(client);
    return status == TR_OK ? 0 : 1;
}
