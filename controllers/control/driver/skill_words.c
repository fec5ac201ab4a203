#include "control/driver/skill_words.h"

#include <string.h>

static const tr_skill_words words[] = {
    {"stand", "idle", "Stands upright and steps when it is pushed."},
    {"walk", "gait move", "Walks at a normal pace."},
    {"walk-slow", "gait move slow", "Walks slowly."},
    {"walk-fast", "gait move fast", "Walks fast."},
    {"walk-back", "gait move back", "Walks backwards."},
    {"run", "gait move fast", "Runs."},
    {"side-left", "gait move sideways left", "Steps to the left."},
    {"side-right", "gait move sideways right", "Steps to the right."},
    {"turn-left", "turn left", "Walks in a circle to the left."},
    {"turn-right", "turn right", "Walks in a circle to the right."},
    {"turn-about", "turn", "Turns around while it walks."},
    {"jump", "leap acrobatics", "Jumps with both feet."},
    {"cartwheel", "acrobatics stunt", "Turns a cartwheel over both hands."},
    {"backflip", "acrobatics stunt flip", "Turns over backwards in the air."},
    {"kick", "strike leg fight", "Kicks forward with one leg."},
    {"spin-kick", "strike leg fight", "Spins on one foot and kicks."},
    {"punch", "strike arm fight", "Punches forward with one arm."},
    {"karate", "fight combination", "Shows a combination of karate."},
    {"dance", "dance show", "Dances on the spot."},
    {"dance-spin", "dance show spin", "Spins as dancers do."},
    {"rise-prone", "rise", "Gets up from the ground."},
};

const tr_skill_words *tr_skill_words_of(const char *name) {
    static const tr_skill_words none = {"", "", ""};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].name, name) == 0)
            return &words[i];
    return &none;
}

bool tr_skill_words_have(const char *tags, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = tags; length > 0 && (at = strstr(at, word)); at += length)
        if ((at == tags || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}
