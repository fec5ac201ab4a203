/* The version of the daemon: shown, sent to clients and written into recordings. */
#ifndef TROUPE_SERVER_VERSION_H
#define TROUPE_SERVER_VERSION_H

#define TR_SERVER_VERSION "0.1.0"

#endif
