#include "tools/character/character.h"

bool tr_character_uses(const tr_character_skill *skill) {
    return !skill->refused[0];
}

/* Do ways lead from one skill to the other, over skills that are used? */
static bool leads(const tr_character_work *c, int from, int to) {
    bool reached[TR_CHARACTER_SKILL_MAX] = {0};
    reached[from] = true;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < c->count; i++)
            for (int k = 0; reached[i] && k < c->count; k++)
                if (!reached[k] && tr_character_uses(&c->skill[k]) &&
                    (c->skill[i].chain[k] || c->skill[i].jump[k]))
                    reached[k] = more = true;
    }
    return reached[to];
}

bool tr_character_is_joined(const tr_character_work *c, int k, bool in) {
    return in ? leads(c, TR_CHARACTER_STAND, k) : leads(c, k, TR_CHARACTER_STAND);
}

/* What leads to a skill and back is itself entered and left, so that no skill that is refused takes
 * another with it. */
bool tr_character_refuse_apart(tr_character_work *c) {
    bool any = false;
    for (int k = 0; k < c->count; k++) {
        const bool in = tr_character_is_joined(c, k, true);
        if (!tr_character_uses(&c->skill[k]) || k == TR_CHARACTER_RISE ||
            (in && tr_character_is_joined(c, k, false)))
            continue;
        tr_character_refuse(&c->skill[k], "learned, but no way %s was found",
                            in ? "out of it" : "into it");
        any = true;
    }
    return any;
}
