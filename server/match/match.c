#include "server/match/match.h"

#include "math/hash.h"
#include "math/random.h"

#include <math.h>

enum { BOUT_STREAM = 0x626f7574 }; /* separates these draws from all others of the seed */

int64_t tr_match_tick_limit(const tr_match_def *match) {
    double ticks = round(match->time_limit_s / match->world.world.step_s);
    return ticks < 1 ? 1 : (int64_t)ticks;
}

uint64_t tr_match_bout_seed(const tr_match_def *match, int position) {
    return tr_random_split(match->seed, BOUT_STREAM, (uint64_t)position).state;
}

uint64_t tr_match_cast_hash(const tr_match_def *match) {
    uint64_t hash = TR_HASH_START;
    for (int i = 0; i < match->team_count; i++)
        for (int k = 0; k < match->team[i].member_count; k++) {
            const tr_match_member *member = &match->team[i].member[k];
            uint64_t controller =
                member->controller ? tr_controller_hash(member->controller, member->model) : 0;
            hash = tr_hash_add(hash, &member->model->hash, sizeof member->model->hash);
            hash = tr_hash_add(hash, &controller, sizeof controller);
        }
    return hash;
}

int tr_match_external_team(const tr_match_def *match, uint64_t order) {
    uint64_t seat = 0;
    for (int i = 0; i < match->team_count; i++)
        if (match->team[i].external && ++seat == order)
            return i;
    return -1;
}
