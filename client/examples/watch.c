/* Spawns a character into a new world, pushes it, and watches it for five seconds: watch
 * [CONTROLLER] [PORT]. */
#include <stdio.h>
#include <stdlib.h>
#include <troupe/client.h>

static void on_state(void *user, tr_client *client, const tr_client_state *state) {
    (void)user, (void)client;
    for (int i = 0; i < state->character_count; i++) {
        const tr_client_character *c = &state->characters[i];
        printf("%5.2f s  x %6.2f  y %6.2f  %s\n", state->time_s, (double)c->root_pos[0],
               (double)c->root_pos[1], c->fallen ? "fallen" : "up");
    }
}

/* Waits for a reply; exits without one. */
static const tr_client_reply *ask(tr_client *client, uint64_t request) {
    const tr_client_reply *reply = NULL;
    tr_error error;
    if (tr_client_await(client, request, 5000, &reply, &error)) {
        fprintf(stderr, "watch: %s\n", error.message);
        exit(1);
    }
    return reply;
}

int main(int count, char **words) {
    tr_client *client;
    tr_error error;
    tr_client_def def = {.port = count > 2 ? atoi(words[2]) : 0, .on_state = on_state};
    if (tr_client_connect(&def, &client, &error))
        return fprintf(stderr, "watch: %s\n", error.message), 1;

    tr_client_world_def park = tr_client_world_def_default();
    park.name = "park";
    tr_client_at here = {.world = ask(client, tr_client_create_world(client, &park))->world.id};
    tr_client_spawn_def spawn = {.controller = count > 1 ? words[1] : "run"};
    tr_client_push_def push = {.force = {0, 50, 0}, .duration_s = 0.2};
    push.entity = ask(client, tr_client_spawn_character(client, here, &spawn))->applied.entity;
    ask(client, tr_client_push(client, here, &push));
    ask(client,
        tr_client_subscribe(client, &(tr_client_subscribe_def){.world = here.world, .rate_hz = 4}));

    tr_status status = tr_client_run(client, 5000, &error);
    if (!status)
        ask(client, tr_client_destroy_world(client, here.world));
    tr_client_close(client);
    return !status ? 0 : 1;
}
