/* Which web pages may open a socket to this daemon, and under which names it answers.
 *
 * Browsers let any page of any site connect to any address, this machine's own included, and name
 * the page's origin in the handshake; so the daemon decides. Pure functions. */
#ifndef TROUPE_SERVER_WEB_ORIGIN_H
#define TROUPE_SERVER_WEB_ORIGIN_H

#include "server/config/web_origins.h"
#include "server/web/http.h"

/* True without an Origin header (no browser), for a configured origin, and for the daemon's own:
 * the Origin's host and port are those of the Host header, and the host is a numeric address or
 * localhost. With any other name a page could make itself the daemon's "own" by pointing its name
 * at this address after it was loaded (DNS rebinding); such names are configured. */
bool tr_web_origin_allowed(const tr_http_request *request, const tr_web_origins *allowed);

/* Is the Host header a name of this daemon: a numeric address, localhost, or the host of a
 * configured origin, whatever the port? True without one (HTTP/1.0: no browser). A page whose name
 * was pointed at this address may read whatever is served under that name. */
bool tr_web_host_allowed(const tr_http_request *request, const tr_web_origins *allowed);

#endif
