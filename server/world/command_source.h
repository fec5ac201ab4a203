/* The source of a world's commands: its clients, or a recording that it shows. It decides how a
 * client's command is handled and what happens in a turn. For the world's thread.
 *
 * A source is a struct whose first member is a tr_command_source; the world loop owns it. */
#pragma once

#include "server/world/command.h"

typedef struct tr_command_source tr_command_source;

typedef struct tr_command_source_kind {
    /* Puts the world into its initial state. */
    tr_status (*begin)(tr_command_source *source, struct tr_world_loop *loop, int64_t now_ns);
    /* Takes a command: queues it, acts on it, or refuses it. */
    void (*admit)(tr_command_source *source, struct tr_world_loop *loop, tr_command *command);
    /* Runs one turn; returns the same as tr_world_loop_advance. */
    int64_t (*advance)(tr_command_source *source, struct tr_world_loop *loop, int64_t now_ns);
    void (*close)(tr_command_source *source, struct tr_world_loop *loop); /* the world ends */
    void (*destroy)(tr_command_source *source);
} tr_command_source_kind;

struct tr_command_source {
    const tr_command_source_kind *kind;
};
