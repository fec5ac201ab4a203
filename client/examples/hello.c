/* Runs a character in a new world for three seconds. */
#include <stdio.h>
#include <troupe/client.h>

static void on_state(void *user, tr_client *client, const tr_client_state *state) {
    for (int i = 0; i < state->character_count; i++)
        printf("%4.1f s: %.2f m\n", state->time_s, (double)state->characters[i].root_pos[0]);
    (void)user, (void)client;
}

int main(int count, char **words) {
    tr_client *client;
    tr_client_world_def world = tr_client_world_def_default();
    world.name = "hello";
    tr_client_spawn_def runner = {.controller = count > 1 ? words[1] : "run"};
    if (tr_client_connect(&(tr_client_def){.on_state = on_state}, &client, NULL))
        return 1;
    tr_client_at at = {.world =
                           tr_client_ask(client, tr_client_create_world(client, &world))->world.id};
    tr_client_subscribe_def watch = {.world = at.world, .rate_hz = 5};
    bool failed = tr_client_ask(client, tr_client_spawn_character(client, at, &runner))->status ||
                  tr_client_ask(client, tr_client_subscribe(client, &watch))->status ||
                  tr_client_run(client, 3000, NULL);
    tr_client_ask(client, tr_client_destroy_world(client, at.world));
    tr_client_close(client);
    return failed;
}
