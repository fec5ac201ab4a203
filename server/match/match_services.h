/* The services of the daemon that matches use. They outlive the matches and belong to the event
 * loop's thread. */
#pragma once

#include "server/catalogue/library.h"
#include "server/net/clients.h"
#include "server/recording/recordings.h"
#include "server/world/worlds.h"

typedef struct tr_match_services {
    uv_loop_t *loop;
    tr_task_pool *pool;
    tr_catalogue_thread *catalogue;
    tr_library *library;
    tr_recordings *recordings;
    tr_worlds *worlds;
    tr_clients clients;
    const tr_command_table *commands;
} tr_match_services;
