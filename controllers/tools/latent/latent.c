/* troupe-train latent: from a few clips to a latent space in which a character
 * is steered. */
#include "tools/latent/latent.h"

static const tr_tool_command *const parts[] = {
    &tr_tool_latent_map,      &tr_tool_latent_check, &tr_tool_latent_compare,
    &tr_tool_latent_generate, &tr_tool_latent_store, NULL,
};

const tr_tool_command tr_tool_latent = {
    .name = "latent",
    .arguments = "fit | map | task | check | compare | generate | store ...",
    .summary = "learn a latent space of a few clips and control characters in it",
    .help = "A latent space is learned from motions ('fit') and drawn ('map'); "
            "a policy is learned "
            "in it\n"
            "('task'), measured ('check', 'compare') and written as motions "
            "('generate')\n"
            "and put into a catalogue ('store').\n"
            "controllers/guide/latent.md explains the method.\n",
    .parts = parts};
