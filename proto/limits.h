/* Every cap of the wire, in one place. PROTOCOL.md repeats them for readers; a test compares them.
 *
 * A size that a peer states is compared with its cap before any memory is taken for it. */
#pragma once

enum {
    /* The version of the protocol. Another major is refused; minors only add fields and
     * requests. */
    TR_PROTOCOL_MAJOR = 1,
    TR_PROTOCOL_MINOR = 1,
    TR_DEFAULT_PORT = 7400,

    /* Frames: bytes of the message in a frame, its length prefix not counted. */
    TR_FRAME_BEFORE_HELLO_MAX = 16 * 1024, /* client to server until Hello is accepted */
    TR_FRAME_CLIENT_MAX = 4 * 1024 * 1024, /* client to server afterwards: a snapshot fits */
    TR_FRAME_SERVER_MAX = 4 * 1024 * 1024, /* server to client */
    TR_FRAME_PREFIX_MAX = 5,               /* bytes of a length prefix: a varint of 32 bits */
    TR_SNAPSHOT_MAX =
        TR_FRAME_CLIENT_MAX - 1024, /* bytes of a snapshot: leaves room for the envelope */

    /* Cap of the memory for decoding one message: this many times its bytes, plus a constant. It
     * limits messages of many empty parts, whose structs and pointers are much larger than their
     * bytes. */
    TR_DECODE_GROWTH_MAX = 16,
    TR_DECODE_BASE_MAX = 64 * 1024,

    /* Sessions. */
    TR_REQUESTS_MAX = 256,       /* unanswered, per session */
    TR_SUBSCRIPTIONS_MAX = 16,   /* per session */
    TR_HELLO_TIMEOUT_MS = 3000,  /* from connection to Hello */
    TR_FRAME_TIMEOUT_MS = 10000, /* from the first byte of a frame to its last */
    /* Bytes received of incomplete or waiting frames: of one key, or of one address without a key,
     * and of all clients. Beyond either limit the largest holder is cut off (ledger.h). */
    TR_INPUT_PARTY_MAX = 32 * 1024 * 1024,
    TR_INPUT_TOTAL_MAX = 48 * 1024 * 1024,
    /* Bytes that wait for clients to read them: beyond the first limit a client is cut off, beyond
     * the second the largest holder. */
    TR_UNREAD_MAX = 8 * 1024 * 1024,
    TR_UNREAD_TOTAL_MAX = 256 * 1024 * 1024,

    /* Texts: bytes of UTF-8, terminator not counted. */
    TR_WIRE_NAME_MAX = 47,
    TR_CLIENT_NAME_MAX = 63,
    TR_PING_PAYLOAD_MAX = 64,
    TR_PAGE_TOKEN_MAX = 128,
    TR_RESPONSE_MESSAGE_MAX = 511,

    /* Lists. */
    TR_PAGE_SIZE_DEFAULT = 100,
    TR_PAGE_SIZE_MAX = 256,

    /* Certificates. */
    TR_CERTIFICATES_MAX = 256,         /* of one controller */
    TR_CERTIFICATE_FIGURES_MAX = 4096, /* of one certificate */
    TR_CERTIFICATE_PUSHES_MAX = 4096,  /* of one certificate */

    /* Worlds. */
    TR_WORLDS_MAX = 256,
    TR_WORLD_PLACES = 2 * TR_WORLDS_MAX, /* of a daemon: for worlds that still close, too */
    TR_STEPPERS_MAX = 64,                /* joined in one world */
    TR_STEPPER_ORDER_MAX = 1000,
    TR_STEP_TIMEOUT_SECONDS_MAX = 86400,
    TR_LEASE_SECONDS_MAX = 86400,
    TR_MOVED_KEPT = 64,   /* worlds moved away that a daemon lists */
    TR_HOLD_SECONDS = 30, /* of a hold for a move, by default */
    TR_HOLD_SECONDS_MAX = 3600,
    TR_STEP_COUNT_MAX = 1000000,                      /* ticks of one step request */
    TR_ADVANCE_ORDERS_MAX = 256,                      /* of one advance */
    TR_AT_TICK_AHEAD_MAX = 1000000,                   /* how far ahead at_tick may be */
    TR_COMMANDS_PENDING_MAX = 4096,                   /* per world */
    TR_COMMANDS_PENDING_BYTES_MAX = 32 * 1024 * 1024, /* memory they take */
    TR_SUBSCRIPTION_KINDS_MAX = 32, /* per world: different pairs of a rate and fields */
    TR_PUSH_NEWTON_MAX = 100000,
    TR_PUSH_SECONDS_MAX = 60,
    TR_STEER_SPEED_MAX = 20,   /* m/s */
    TR_HEADING_RAD_MAX = 1000, /* of a heading, either way */
    TR_SPEED_MAX = 100,        /* m/s and rad/s of spawned and thrown objects */
    TR_TRAVEL_SECONDS_MAX = 3600,

    /* Scenes. */
    TR_SCENE_OBJECTS_MAX = 64,
    TR_HEIGHT_SAMPLES_MAX = 1 << 18, /* of a height field */
    TR_MESH_VERTICES_MAX = 1 << 15,
    TR_MESH_TRIANGLES_MAX = 1 << 16,
    /* Of all height fields and meshes of a world: 4 for each sample, 12 for each vertex and triangle.
     * A snapshot holds them all. */
    TR_SURFACE_BYTES_MAX = 2 * 1024 * 1024,

    /* Matches. */
    TR_MATCH_TEAMS_MAX = 8,
    TR_MATCH_MEMBERS_MAX = 16, /* of one team */
    TR_MATCH_SECONDS_MAX = 3600,
    TR_MATCH_BOUTS_MAX = 100000, /* of one match */
    TR_MATCHES_MAX = 16,         /* that have not ended */
    TR_MATCH_WATCHERS_MAX = 64,  /* of one match */

    /* Recordings. */
    TR_RECORDING_BYTES_MAX = 256 * 1024 * 1024,  /* of one, which ends there */
    TR_RECORDINGS_MAX = 4096,                    /* kept */
    TR_RECORDINGS_MIB_MAX = 16 * 1024,           /* of all kept recordings, MiB */
    TR_RECORDING_PART_MAX = 1024 * 1024,         /* bytes of one upload or download request */
    TR_UPLOADS_MAX = 16,                         /* uploads in progress */
    TR_REPLAY_BYTES_MAX = 512 * 1024 * 1024,     /* of all recordings being replayed */
    TR_REPLAY_KEYS_BYTES_MAX = 32 * 1024 * 1024, /* of states that one replay keeps for seeking */
    TR_REPLAY_EVENTS_MAX = 4096                  /* in a timeline */
};
