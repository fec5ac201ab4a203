/* troupe-train latent: from a few clips to a latent space in which a character
 * is steered. */
#include "tools/latent/latent.h"

static const tr_tool_command *const parts[] = {&tr_tool_latent_check, &tr_tool_latent_store, NULL};

const tr_tool_command tr_tool_latent = {
    .name = "latent",
    .arguments = "fit | task | check | store ...",
    .summary = "learn a latent space of a few clips and control characters in it",
    .help = "A latent space is learned from motions ('fit'); a policy is learned in it ('task'),\n"
            "measured ('check') and put into a catalogue ('store'). The viewer draws\n"
            "the space beside a puppet.\n"
            "controllers/guide/latent.md explains the method.\n",
    .parts = parts};
