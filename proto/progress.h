/* What `troupe-train learn` prints for people and `trouped` reads to show a training: rows of rounds
 *
 *     guide      12  core_s 12.4  cost 0.31  ...  best  | 40 %, 12 min left
 *
 * with names and values of metrics two blanks apart, and a line when a preview has been stored. */
#pragma once

#define TR_PROGRESS_SHARE "  | " /* before the share of the work that is done, in percent */
#define TR_PROGRESS_PREVIEW "preview     stored until there is a better one" /* the whole line */
