#include "server/match/rules/rule.h"

#include <string.h>

extern const tr_rule tr_rule_collide, tr_rule_sumo, tr_rule_race, tr_rule_last_standing,
    tr_rule_survive_pushes, tr_rule_chase, tr_rule_push_box, tr_rule_tug_of_war, tr_rule_football;

const tr_rule *const tr_rules[] = {&tr_rule_collide,        &tr_rule_sumo,
                                   &tr_rule_race,           &tr_rule_last_standing,
                                   &tr_rule_survive_pushes, &tr_rule_chase,
                                   &tr_rule_push_box,       &tr_rule_tug_of_war,
                                   &tr_rule_football,       NULL};

const tr_rule *tr_rule_find(const char *name) {
    for (const tr_rule *const *rule = tr_rules; *rule; rule++)
        if (strcmp((*rule)->name, name) == 0)
            return *rule;
    return NULL;
}

int tr_rule_find_parameter(const tr_rule *rule, const char *name) {
    for (int i = 0; rule->parameter[i].name; i++)
        if (strcmp(rule->parameter[i].name, name) == 0)
            return i;
    return -1;
}
