#include "learn/rehearsal/tread.h"

#include <math.h>

/* Returns the speed of the point of a body that touched at the beginning of the step, across the
 * contact's normal. */
static double slip_of(const tr_contact *contact, const tr_body_state *body, double step_s) {
    /* The contact was found before the body moved: its arm is from where the body was. */
    tr_vec3 com_before = tr_vec3_add_scaled(body->com_pos, -step_s, body->com_vel);
    tr_vec3 arm = tr_vec3_sub(contact->pos, com_before);
    tr_vec3 velocity = tr_vec3_add(body->com_vel, tr_vec3_cross(body->omega, arm));
    double along = tr_vec3_dot(velocity, contact->normal);
    return tr_vec3_length(tr_vec3_add_scaled(velocity, -along, contact->normal));
}

void tr_tread_add(tr_tread *tread, const tr_rehearsal *rehearsal) {
    const tr_world_def *def = tr_world_definition(rehearsal->world);
    const tr_body_state *body = tr_world_bodies(rehearsal->world, rehearsal->character);
    double weight = rehearsal->model->mass * tr_vec3_length(def->gravity) * def->step_s;
    int count;
    const tr_contact *contact = tr_world_contacts(rehearsal->world, &count);
    tread->load_bw = 0;
    for (int i = 0; i < count; i++) {
        const tr_contact *c = &contact[i];
        /* Only contacts with the static world count; the impulse over weight * step is a force in
         * body weights. */
        if (c->entity[0] != rehearsal->character || c->entity[1] != 0)
            continue;
        tread->load_bw += c->impulse.z / weight;
        tread->slid += tr_vec3_dot(c->impulse, c->normal) / weight *
                       slip_of(c, &body[c->body[0]], def->step_s);
    }
    tread->peak_bw = fmax(tread->peak_bw, tread->load_bw);
    tread->steps++;
}

double tr_tread_slip(const tr_tread *tread) {
    return tread->steps > 0 ? tread->slid / tread->steps : 0;
}

/* Both parts have the same value and slope at 5 body weights. */
double tr_tread_strike_worth(double peak_bw) {
    return peak_bw < 5 ? 100 * (10 - peak_bw) : 2500 / peak_bw;
}
