#include "server/world/budget.h"

tr_budget tr_budget_start(double share, int64_t now_ns) {
    return (tr_budget){share, (int64_t)(share * (double)TR_BUDGET_SAVED_NS), now_ns};
}

bool tr_budget_spend(tr_budget *budget, int64_t spent_ns, int64_t now_ns) {
    if (budget->share <= 0)
        return true;
    int64_t most_ns = (int64_t)(budget->share * (double)TR_BUDGET_SAVED_NS);
    int64_t least_ns = -(int64_t)(budget->share * (double)TR_BUDGET_OWED_NS);
    int64_t left_ns =
        budget->left_ns + (int64_t)(budget->share * (double)(now_ns - budget->seen_ns));
    left_ns = (left_ns < most_ns ? left_ns : most_ns) - spent_ns;
    budget->left_ns = left_ns > least_ns ? left_ns : least_ns;
    budget->seen_ns = now_ns;
    return left_ns >= 0;
}
