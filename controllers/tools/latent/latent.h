/* The subcommands of 'troupe-train latent', one file each, and what they share.
 */
#ifndef TROUPE_TOOLS_LATENT_H
#define TROUPE_TOOLS_LATENT_H

#include "control/latent/latent_space.h"
#include "learn/latent/latent_check.h"
#include "tools/frame/tool.h"

extern const tr_tool_command tr_tool_latent_check, tr_tool_latent_compare, tr_tool_latent_store;

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

tr_latent_check_options tr_latent_check_options_default(void);

/* The rows of these options, in the field `by` of a command's. */
#define TR_LATENT_CHECK_ROWS(type)                                                                 \
    {"--model MJCF", TR_OPTION_TEXT, offsetof(type, by.model),                                     \
     "the character's model (the shipped humanoid.xml)"},                                          \
        {"--characters N", TR_OPTION_COUNT, offsetof(type, by.characters), "(32)", 1, 100000},     \
        {"--steps N",                                                                              \
         TR_OPTION_COUNT,                                                                          \
         offsetof(type, by.steps),                                                                 \
         "heading: decisions of each (1000)",                                                      \
         2,                                                                                        \
         100000},                                                                                  \
        {"--goal-steps N",                                                                         \
         TR_OPTION_COUNT,                                                                          \
         offsetof(type, by.goal_steps),                                                            \
         "heading: until a character is given another direction (100)",                            \
         2,                                                                                        \
         100000},                                                                                  \
        {"--decisions", TR_OPTION_FLAG, offsetof(type, by.decisions),                              \
         "measure the policy alone. Heading: its points as in the paper, without the spline "      \
         "between them and without planted feet. Target: without the constraint that brings the "  \
         "body to the point"},                                                                     \
        {"--seed S", TR_OPTION_SEED, offsetof(type, by.seed),                                      \
         "of starts, directions and points (1)"},                                                  \
        TR_TOOL_THREADS(type, by.threads)

/* TR_INVALID_ARGUMENT: --goal-steps of more than --steps. */
tr_status tr_latent_check_options_check(const tr_latent_check_options *options,
                                        tr_error *error) TR_NODISCARD;

/* The measurement that they ask for; subject, policy and pool are borrowed. */
tr_latent_check tr_latent_check_of(const tr_latent_check_options *options,
                                   const tr_latent_subject *subject, const tr_latent_policy *policy,
                                   tr_pool *pool);

#endif
