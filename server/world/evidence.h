/* What is kept of a world that broke an invariant: its snapshot, from which the next step can be made
 * again. A folder has TR_EVIDENCE_MAX of them, and a new one replaces an old one. */
#pragma once

#include "server/net/packet.h"

enum { TR_EVIDENCE_MAX = 16, TR_EVIDENCE_PATH_MAX = 512 };

/* Sets the path of the file; "": it could not be written. Blocks for a moment. */
void tr_evidence_keep(const char *folder, uint32_t world, const tr_packet *snapshot,
                      char out_path[TR_EVIDENCE_PATH_MAX]);
