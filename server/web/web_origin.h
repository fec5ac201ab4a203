/* Decides which web pages may open a socket to this daemon, and for which host names it answers.
 *
 * Browsers let any page of any site connect to any address, including this machine's, and send the
 * page's origin in the handshake; so the daemon must decide. Pure functions. */
#pragma once

#include "server/config/web_origins.h"
#include "server/web/http.h"

/* True without an Origin header (no browser), for a configured origin, and for the daemon's own:
 * the Origin's host and port are those of the Host header, and the host is a numeric address or
 * localhost. Other host names must be configured: otherwise a page could pass for the daemon's own
 * by pointing its name at this address after it was loaded (DNS rebinding). */
bool tr_web_origin_allowed(const tr_http_request *request, const tr_web_origins *allowed);

/* Is the Host header a name of this daemon: a numeric address, localhost, or the host of a
 * configured origin, whatever the port? True without one (HTTP/1.0: no browser). Without this
 * check, a page whose name was pointed at this address could read everything served. */
bool tr_web_host_allowed(const tr_http_request *request, const tr_web_origins *allowed);
