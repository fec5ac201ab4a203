/* Commands on a world, or on one of its entities, that have no values of their own. */
#include "cli/cli.h"

#define ENTRY(symbol, request, ...)                                                                \
    static uint64_t send_##symbol(tr_client *client, tr_client_at at, uint32_t entity,             \
                                  const void *given) {                                             \
        (void)entity, (void)given;                                                                 \
        return request;                                                                            \
    }                                                                                              \
    const tr_cli_command tr_cli_command_##symbol = {                                               \
        .values_size = sizeof(tr_cli_target), .send = send_##symbol, __VA_ARGS__};

ENTRY(pause, tr_client_pause(client, at), .name = "pause",
      .summary = "pause a real-time or fast world",
      .help =
          "Commands still apply while it is paused, and 'troupe step' moves it by single ticks.\n\n"
          "  troupe pause arena",
      .argument = {TR_CLI_WORLD, TR_CLI_AT}, .done = "paused")

ENTRY(resume, tr_client_resume(client, at), .name = "resume", .summary = "resume a paused world",
      .help = "It continues from the tick at which it was paused.\n\n"
              "  troupe resume arena",
      .argument = {TR_CLI_WORLD, TR_CLI_AT}, .done = "resumed")

ENTRY(mark, tr_client_mark(client, at), .name = "mark",
      .summary = "set the reset point of a world to its present state",
      .help = "Until the first mark the world keeps a default reset point, taken again after each\n"
              "spawn and despawn.\n\n"
              "  troupe mark arena",
      .argument = {TR_CLI_WORLD, TR_CLI_AT}, .done = "marked")

ENTRY(reset, tr_client_reset(client, at), .name = "reset",
      .summary = "return a world to its reset point",
      .help =
          "Commands that wait for a later tick are dropped; the epoch of the world increases by\n"
          "one.\n\n"
          "  troupe reset arena",
      .argument = {TR_CLI_WORLD, TR_CLI_AT}, .done = "reset")

ENTRY(stop_recording, tr_client_stop_recording(client, at), .name = "stop-recording",
      .summary = "end the recording of a world",
      .help = "'troupe recordings' lists the recordings.\n\n"
              "  troupe stop-recording arena",
      .argument = {TR_CLI_WORLD, TR_CLI_AT}, .done = "recording ended")

ENTRY(despawn, tr_client_despawn(client, at, entity), .name = "despawn",
      .summary = "remove a character or an object from a world",
      .help = "  troupe despawn arena guard", .argument = {TR_CLI_WORLD, TR_CLI_ENTITY, TR_CLI_AT},
      .done = "despawned")
