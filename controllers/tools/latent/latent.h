/* The subcommands of 'troupe-train latent', one file each, and what they share.
 */
#ifndef TROUPE_TOOLS_LATENT_H
#define TROUPE_TOOLS_LATENT_H

#include "control/latent/latent_space.h"
#include "learn/latent/latent_check.h"
#include "tools/frame/options.h"
#include "tools/frame/tool.h"

extern const tr_tool_command tr_tool_latent_fit, tr_tool_latent_map, tr_tool_latent_task,
    tr_tool_latent_check, tr_tool_latent_compare, tr_tool_latent_generate, tr_tool_latent_store,
    tr_tool_latent_switch, tr_tool_latent_track;

/* A space of a file, with its model. */
typedef struct tr_latent_subject {
    tr_model *model;
    tr_sections sections;
    tr_latent_space *space;
} tr_latent_subject;

/* Fills a subject of zeros; whatever the status, it is to be deinitialised.
 * Statuses as tr_mjcf_load, tr_latent_file_read and tr_latent_space_load. */
tr_status tr_latent_subject_load(const char *model_path, const char *path, tr_latent_subject *out,
                                 tr_error *error) TR_NODISCARD;
void tr_latent_subject_deinit(tr_latent_subject *subject); /* of zeros is fine */

/* The options by which 'check' and 'compare' measure. */
typedef struct tr_latent_check_options {
    const char *model;
    int threads, characters, steps, goal_steps;
    bool decisions;
    uint64_t seed;
} tr_latent_check_options;

enum { TR_LATENT_CHECK_OPTIONS = 7 };

tr_latent_check_options tr_latent_check_options_default(void);
void tr_latent_check_options_list(tr_latent_check_options *options,
                                  tr_option table[static TR_LATENT_CHECK_OPTIONS]);

/* The measurement that they ask for; subject, policy and pool are borrowed. */
tr_latent_check tr_latent_check_of(const tr_latent_check_options *options,
                                   const tr_latent_subject *subject, const tr_latent_policy *policy,
                                   tr_pool *pool);

#endif
