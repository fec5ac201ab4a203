/* A channel over TLS, on top of another channel, which carries the encrypted bytes. */
#pragma once

#include "proto/tls.h"
#include "server/net/channel.h"

/* Takes `inner` and waits for the peer's handshake. Until it is done, no bytes are reported and
 * writes wait. The caller limits the time. TR_RESOURCE_EXHAUSTED: `inner` is closed. */
tr_status tr_channel_tls_start(uv_loop_t *loop, tr_tls *tls, tr_channel *take_inner,
                               tr_channel **out) TR_NODISCARD;
