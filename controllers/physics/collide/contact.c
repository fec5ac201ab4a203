/* Contacts: boxes first, then ODE's dCollide for what overlaps, then fewer points without less
 * support.
 *
 * Friction of a pair is the product of its coefficients, so that 1 is neutral, ice is ice under any
 * sole, and values above 1 are possible.
 *
 * dCollide gives at most four points per pair of shapes, chosen by ODE to span the patch. One
 * reduction is ours: the rear edge of a toe lies on the front edge of its foot, and both would rest
 * on the ground there. Two contacts at one place on two linked bodies carry no more than one of
 * them, so the point of the later body is removed. */
#include "physics/collide/contact.h"
#include "physics/collide/collider.h"
#include "physics/collide/deepest.h"
#include "physics/collide/line_contact.h"
#include "physics/collide/surface_contact.h"
#include "physics/kernels/kernel.h"

#include <math.h>
#include <string.h>

enum { POINTS_PER_PAIR = 4 };
static const double SAME_PLACE_M = 0.03;

/* One side of a pair of shapes under test. */
typedef struct side {
    int mover, body;
    tr_entity_id entity;
    double friction, torsional, rolling, softness;
    const tr_collider *collider; /* NULL: the plane */
    const tr_frame *frame;
    dGeomID geom;
    bool ground;
} side;

void tr_contact_set_partners(tr_character *character) {
    const tr_model *model = character->model;
    for (int i = 0; i < model->geom_count; i++) {
        int a = model->geom[i].body;
        character->partner[i] = 0;
        for (int j = i + 1; j < model->geom_count; j++) {
            int b = model->geom[j].body;
            bool excluded = a == b || (model->exclude[a] >> b & 1) ||
                            (model->exclude[b] >> a & 1) || model->body[a].parent == b ||
                            model->body[b].parent == a;
            if (!excluded)
                character->partner[i] |= 1ULL << j;
        }
    }
}

/* Friction of the ground at a point: the last patch that holds it wins. */
static double ground_friction(const tr_world *world, const tr_vec3 pos) {
    double friction = world->def.ground_friction;
    for (int i = 0; i < world->scenery_count; i++) {
        const tr_scenery_def *patch = &world->scenery[i]->def;
        if (patch->kind != TR_SCENERY_PATCH)
            continue;
        tr_vec3 local = tr_quat_rotate_inverse(patch->rot, tr_vec3_sub(pos, patch->pos));
        if (fabs(local.x) <= patch->size.x && fabs(local.y) <= patch->size.y)
            friction = patch->friction;
    }
    return friction;
}

/* A linked body of the same character already rests on the same static plane here. */
static bool doubled(const tr_world *world, const side *a, const side *b, tr_vec3 pos,
                    tr_vec3 normal) {
    if (b->mover != TR_STATIC_MOVER || a->mover >= world->character_count)
        return false;
    const tr_model *model = world->character[a->mover]->model;
    for (int i = world->contact_count - 1; i >= 0; i--) {
        const tr_contact *other = &world->contact[i];
        if (other->entity[0] != a->entity)
            return false;
        int body = other->body[0];
        bool linked = model->body[body].parent == a->body || model->body[a->body].parent == body;
        if (linked && world->link[i].mover[1] == TR_STATIC_MOVER &&
            tr_vec3_dot(other->normal, normal) > 0.99 &&
            tr_vec3_distance(other->pos, pos) < SAME_PLACE_M)
            return true;
    }
    return false;
}

/* --- the bounds of a search --- */

/* What the search for the contacts of a step may cost. A look is a box, a triangle or a pair of boxes
 * of shapes, some 40 ns; ODE's test of a pair of shapes counts as PAIR_LOOKS. Each mover has its share
 * for the scenery and for itself, each pair of movers one for each other; what takes more draws on the
 * reserve of the step, first come, in the order of the scene. Ordinary scenes need a hundredth. */
enum {
    RESERVE_LOOKS = 1 << 20,
    MOVER_LOOKS = 4096,
    MOVERS_LOOKS = 32,
    PAIR_LOOKS = 8,
};

typedef struct contact_search {
    tr_world *world;
    int reserve, share;
    int first; /* contact of the present mover, or pair of movers */
    bool cut;  /* it would have taken more looks */
} contact_search;

/* A part of the search: the contacts from here on are those of one mover or of one pair. */
static void begin_part(contact_search *s, int share) {
    if (s->world->contact_count > TR_CONTACT_ROOM - 2 * TR_PAIR_CONTACT_MAX)
        tr_deepest_keep(s->world, 0, TR_CONTACT_MAX);
    s->first = s->world->contact_count;
    s->share = share;
    s->cut = false;
}

static void end_part(contact_search *s) {
    tr_deepest_keep(s->world, s->first, TR_PAIR_CONTACT_MAX);
    s->world->solver.searches_cut += s->cut;
}

/* Takes looks from the share, and then from the reserve. False: there were not as many, and this part
 * of the search ends. */
static bool take_looks(contact_search *s, int looks) {
    s->share -= looks;
    if (s->share >= 0)
        return !s->cut;
    s->cut = s->cut || s->reserve + s->share < 0;
    s->reserve = s->cut ? 0 : s->reserve + s->share;
    s->share = 0;
    return !s->cut;
}

static void add_contact(contact_search *search, const side *a, const side *b,
                        const tr_touching *touch) {
    tr_world *world = search->world;
    if (doubled(world, a, b, touch->pos, touch->normal))
        return;
    if (world->contact_count - search->first == 2 * TR_PAIR_CONTACT_MAX)
        tr_deepest_keep(world, search->first, TR_PAIR_CONTACT_MAX);
    double friction = b->ground ? ground_friction(world, touch->pos) : b->friction;
    int c = world->contact_count++;
    world->link[c] = (tr_contact_link){{a->mover, b->mover},
                                       fmax(a->torsional, b->torsional),
                                       fmax(a->rolling, b->rolling),
                                       a->softness + b->softness};
    tr_contact *contact = &world->contact[c]; /* by fields: a whole one would be cleared first */
    contact->entity[0] = a->entity;
    contact->entity[1] = b->entity;
    contact->body[0] = a->body;
    contact->body[1] = b->body;
    contact->pos = touch->pos;
    contact->normal = touch->normal;
    contact->depth = touch->depth;
    contact->impulse = (tr_vec3){0, 0, 0};
    contact->friction = a->friction * friction;
}

/* ODE's one point of a capsule on a box as the ends of a line, where it is one. Returns how many
 * points there are now. */
static int widen(const side *a, const side *b, tr_touching touch[2]) {
    bool first = a->collider->kind == TR_GEOM_CAPSULE;
    const side *capsule = first ? a : b, *box = first ? b : a;
    if (capsule->collider->kind != TR_GEOM_CAPSULE || box->collider->kind != TR_GEOM_BOX)
        return 1;
    tr_shape_pose round = tr_collider_pose(capsule->collider, capsule->frame);
    tr_shape_pose flat = tr_collider_pose(box->collider, box->frame);
    tr_vec3 out = first ? touch[0].normal : tr_vec3_negate(touch[0].normal);
    tr_touching end[2];
    int count =
        tr_line_contact(&round, capsule->collider->size, &flat, box->collider->size, out, end);
    for (int i = 0; i < count; i++) {
        touch[i] = end[i];
        if (!first)
            touch[i].normal = tr_vec3_negate(end[i].normal);
    }
    return count > 0 ? count : 1;
}

static void collide(contact_search *search, const side *a, const side *b) {
    dContactGeom found[POINTS_PER_PAIR];
    tr_touching touch[POINTS_PER_PAIR];
    int count = dCollide(a->geom, b->geom, POINTS_PER_PAIR, found, sizeof found[0]);
    for (int i = 0; i < count; i++) {
        const dReal *p = found[i].pos, *n = found[i].normal;
        touch[i] = (tr_touching){{p[0], p[1], p[2]}, {n[0], n[1], n[2]}, found[i].depth};
    }
    if (count == 1 && b->collider)
        count = widen(a, b, touch);
    for (int i = 0; i < count; i++)
        add_contact(search, a, b, &touch[i]);
}

/* The movers' side of things, characters and objects alike. */
typedef struct shapes {
    int mover, count;
    bool skip; /* faulted: neither moves nor touches */
    bool free; /* not kinematic: contacts move it */
    tr_entity_id entity;
    tr_collider *collider;
    const tr_frame *frame; /* by body */
    const double *low, *high;
} shapes;

static shapes shapes_of(tr_world *world, int mover) {
    if (mover < world->character_count) {
        tr_character *c = world->character[mover];
        return (shapes){mover,  c->model->geom_count, c->faulted, !c->kinematic,
                        c->id,  c->collider,          c->frame,   c->low,
                        c->high};
    }
    tr_object *o = world->object[mover - world->character_count];
    return (shapes){mover,       o->def.geom_count, o->faulted, !o->kinematic, o->id,
                    o->collider, &o->frame,         o->low,     o->high};
}

/* Without its ODE geom. */
static side bare_side_of(const shapes *s, int g) {
    const tr_collider *collider = &s->collider[g];
    return (side){.mover = s->mover,
                  .body = collider->body,
                  .entity = s->entity,
                  .collider = collider,
                  .frame = &s->frame[collider->body],
                  .friction = collider->friction,
                  .torsional = collider->torsional,
                  .softness = collider->softness,
                  .rolling = collider->rolling};
}

static side side_of(const shapes *s, int g) {
    side out = bare_side_of(s, g);
    out.geom = tr_collider_geom(&s->collider[g], &s->frame[out.body]);
    return out;
}

/* Shape g against a box or a surface of the scenery. */
static void collide_solid(contact_search *search, const shapes *s, int g, tr_scenery *solid) {
    const tr_collider *collider = &s->collider[g];
    if (!take_looks(search, PAIR_LOOKS))
        return;
    side theirs = {.mover = TR_STATIC_MOVER, .body = -1, .friction = solid->def.friction};
    if (solid->def.kind == TR_SCENERY_BOX) {
        side mine = side_of(s, g);
        theirs.collider = &solid->collider;
        theirs.frame = &tr_scenery_frame;
        theirs.geom = tr_collider_geom(&solid->collider, &tr_scenery_frame);
        collide(search, &mine, &theirs);
        return;
    }
    tr_touching touch[TR_SURFACE_POINTS];
    side mine = bare_side_of(s, g);
    int all = search->share + search->reserve, left = all;
    int count = tr_surface_touch(solid, collider, &s->frame[collider->body], &left, touch);
    (void)take_looks(search, all - left);
    for (int i = 0; i < count; i++)
        add_contact(search, &mine, &theirs, &touch[i]);
}

static void find_static(contact_search *search, const shapes *s) {
    tr_world *world = search->world;
    begin_part(search, MOVER_LOOKS);
    for (int g = 0; g < s->count && world->ground && s->low[2] <= 0; g++) {
        if (s->collider[g].low[2] > 0)
            continue;
        side mine = side_of(s, g);
        side ground = {.mover = TR_STATIC_MOVER, .body = -1, .geom = world->ground, .ground = true};
        collide(search, &mine, &ground);
    }
    for (int i = 0; i < world->scenery_count && !search->cut; i++) {
        tr_scenery *solid = world->scenery[i];
        const double *low = solid->low, *high = solid->high;
        if (solid->def.kind == TR_SCENERY_PATCH || !tr_bounds_overlap(s->low, s->high, low, high))
            continue;
        for (int g = 0; g < s->count && !search->cut; g++)
            if (tr_bounds_overlap(s->collider[g].low, s->collider[g].high, low, high))
                collide_solid(search, s, g, solid);
    }
    end_part(search);
}

/* Shape i of one and shape j of another, or of the same, whose boxes overlap. */
static void collide_pair(contact_search *search, const shapes *s, int i, const shapes *t, int j) {
    const tr_collider *a = &s->collider[i], *b = &t->collider[j];
    tr_shape one = {a, &s->frame[a->body]}, other = {b, &t->frame[b->body]};
    if (!take_looks(search, 1) || search->world->kernel->bounds->apart(&one, &other) ||
        !take_looks(search, PAIR_LOOKS))
        return;
    side first = side_of(s, i), second = side_of(t, j);
    collide(search, &first, &second);
}

static void find_self(contact_search *search, const shapes *s, const tr_boxes *boxes,
                      const uint64_t *partner) {
    const tr_bounds_kernel *bounds = search->world->kernel->bounds;
    begin_part(search, MOVER_LOOKS);
    for (int i = 0; i < s->count; i++) {
        const tr_collider *a = &s->collider[i];
        uint64_t near = bounds->near(boxes, a->low, a->high, partner[i]);
        for (; near && !search->cut; near &= near - 1)
            collide_pair(search, s, i, s, __builtin_ctzll(near));
    }
    end_part(search);
}

static void find_between(contact_search *search, const shapes *s, const shapes *t) {
    if (!tr_bounds_overlap(s->low, s->high, t->low, t->high))
        return;
    begin_part(search, MOVERS_LOOKS);
    for (int i = 0; i < s->count && !search->cut; i++) {
        const tr_collider *a = &s->collider[i];
        if (!tr_bounds_overlap(a->low, a->high, t->low, t->high))
            continue;
        for (int j = 0; j < t->count; j++) {
            const tr_collider *b = &t->collider[j];
            if (tr_bounds_overlap(a->low, a->high, b->low, b->high))
                collide_pair(search, s, i, t, j);
        }
    }
    end_part(search);
}

void tr_contact_find(tr_world *world) {
    contact_search search = {.world = world, .reserve = RESERVE_LOOKS};
    world->contact_count = 0;
    int movers = world->character_count + world->object_count;
    for (int m = 0; m < movers; m++) {
        shapes s = shapes_of(world, m);
        if (s.skip)
            continue;
        bool character = m < world->character_count;
        tr_character *c = character ? world->character[m] : NULL;
        tr_object *o = character ? NULL : world->object[m - world->character_count];
        tr_boxes boxes;
        world->kernel->bounds->bound(s.collider, s.count, s.frame, &boxes);
        memcpy(c ? c->low : o->low, boxes.whole_low, sizeof boxes.whole_low);
        memcpy(c ? c->high : o->high, boxes.whole_high, sizeof boxes.whole_high);
        if (!s.free)
            continue;
        find_static(&search, &s);
        if (c && world->def.self_collision)
            find_self(&search, &s, &boxes, c->partner);
    }
    for (int m = 0; m < movers; m++) {
        shapes s = shapes_of(world, m);
        for (int n = m + 1; n < movers && !s.skip; n++) {
            shapes t = shapes_of(world, n);
            if (!t.skip && (s.free || t.free))
                find_between(&search, &s, &t);
        }
    }
    tr_deepest_keep(world, 0, TR_CONTACT_MAX);
}

static double size_of(const shapes *s) {
    return s->high[0] - s->low[0] + s->high[1] - s->low[1] + s->high[2] - s->low[2];
}

/* A contact is between movers and bodies that exist, and as deep as these are large at most. */
void tr_contact_must_hold(tr_world *world, int index) {
    const tr_contact *contact = &world->contact[index];
    double size = 0;
    for (int s = 0; s < 2; s++) {
        int mover = world->link[index].mover[s];
        if (mover < 0)
            continue;
        shapes theirs = shapes_of(world, mover);
        size += size_of(&theirs);
        TR_MUST_BE(&world->invariant, theirs.entity, ==, contact->entity[s]);
    }
    TR_MUST(&world->invariant, world->link[index].mover[0] >= 0);
    TR_MUST_BE(&world->invariant, contact->depth, >=, 0);
    TR_MUST(&world->invariant, contact->entity[1] == 0 || contact->depth <= size);
    TR_MUST_BE(&world->invariant, contact->friction, >=, 0);
}
