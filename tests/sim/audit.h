/* The audit after the faults: promises, recordings, motion, limits, and the continuation of a
 * snapshot. */
#pragma once

#include "client.h"

extern long audit_verified; /* recordings, so far */

void audit_begin(client *auditor, client *probes);
bool audit_needs(const client *c); /* is it part of the audit by now? */
int64_t audit_act(client *c);      /* an admitted client's turn; returns the time of its next */
void audit_answer(client *c, const asked *a, Troupe__Response *r);
bool audit_is_done(void);
