/* Addresses: recognises numeric ones and those of this machine only. Pure functions. */
#pragma once

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

/* 127.0.0.0/8, ::1, and the former written as v6. */
bool tr_sockaddr_is_loopback(const struct sockaddr *address);

/* Is the text a numeric address, as in "127.0.0.1" or "::1"? */
bool tr_address_is_numeric(const char *host);

/* A numeric address as text; false for any other text. */
bool tr_address_is_loopback(const char *host);

/* Splits "host:port" or "[v6]:port"; the host takes at most `capacity` bytes with its terminator.
 * Returns false, and may have changed `host`, if it is neither. */
bool tr_address_split(const char *text, char *host, size_t capacity, int *out_port);
