#include "control/controller.h"

static void mirror_targets(const tr_model *model, const tr_fragment *from, tr_quat *out) {
    for (int s = 0; s < from->steps; s++) {
        size_t row = (size_t)s * (size_t)model->body_count;
        for (int b = 0; b < model->body_count; b++)
            out[row + (size_t)model->body[b].mirror] =
                tr_quat_mirror(from->target[row + (size_t)b]);
    }
}

static void mirror_fragment(const tr_model *model, const tr_action_map *map,
                            const tr_fragment *from, tr_fragment *out) {
    mirror_targets(model, from, out->target);
    tr_policy_mirror(model, map, &from->policy, &out->policy);
    out->start = tr_state_mirror(model, &from->start);
    out->end = tr_state_mirror(model, &from->end);
}

/* The mirror image of a turn to the left is one to the right. */
static void mirror_steering(const tr_model *model, const tr_action_map *map,
                            const tr_steering *from, tr_steering *out) {
    tr_action_mirror(model, map, from->turn, out->turn);
    tr_action_mirror(model, map, from->faster, out->faster);
    tr_action_mirror(model, map, from->slower, out->slower);
    for (int i = 0; i < map->size; i++)
        out->turn[i] = 0 - out->turn[i];
}

tr_status tr_controller_mirror(const tr_controller *controller, const tr_model *model,
                               tr_controller **out) {
    const tr_action_map *map = &controller->action;
    tr_controller *image = NULL;
    tr_status status = tr_controller_copy(controller, model, &image);
    if (status)
        return status;
    for (int f = 0; f < controller->fragment_count; f++)
        mirror_fragment(model, map, &controller->fragment[f], &image->fragment[f]);
    image->spawn = tr_state_mirror(model, &controller->spawn);
    mirror_steering(model, map, &controller->steering, &image->steering);
    for (int n = 0; controller->graph && n < controller->graph->node_count; n++) {
        const tr_graph_node *node = &controller->graph->node[n];
        image->graph->node[n].turn_rad = 0 - node->turn_rad;
        mirror_steering(model, map, &node->steering, &image->graph->node[n].steering);
    }
    *out = image;
    return TR_OK;
}
