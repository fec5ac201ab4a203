/* The version of the daemon: shown, sent to clients and written into recordings. */
#pragma once

#define TR_SERVER_VERSION "0.1.0"
