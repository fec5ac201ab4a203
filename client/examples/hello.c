/* A runner in a world of its own, for three seconds. */
#include <stdio.h>
#include <troupe/client.h>

static void on_state(void *user, tr_client *client, const tr_client_state *state) {
    for (int i = 0; i < state->character_count; ++i)
        printf("%4.1f s: %.2f m\n", state->time_s, (double)state->characters[i].root_pos[0]);
    (void)user, (void)client;
}

int main(int count, char **words) {
    tr_client_def def = {.on_state = on_state};
    tr_client_world_def park = tr_client_world_def_default();
    tr_client_spawn_def runner = {.controller = count > 1 ? words[1] : "run"};
    const tr_client_reply *reply;
    tr_client *client;
    park.name = "hello";
    if (tr_client_connect(&def, &client, NULL) ||
        tr_client_await(client, tr_client_create_world(client, &park), 5000, &reply, NULL))
        return 1;
    tr_client_at here = {.world = reply->world.id};
    tr_client_subscribe_def watch = {.world = here.world, .rate_hz = 5};
    if (tr_client_await(client, tr_client_spawn_character(client, here, &runner), 5000, NULL,
                        NULL) ||
        tr_client_await(client, tr_client_subscribe(client, &watch), 5000, NULL, NULL))
        return 1;
    return tr_client_run(client, 3000, NULL) ||
           tr_client_await(client, tr_client_destroy_world(client, here.world), 5000, NULL, NULL);
}
