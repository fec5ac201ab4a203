#include "cmocka_test.h"

#include "control/stage/stage.h"
#include "math/hash.h"
#include "math/random.h"
#include "unit/control/bits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CONTINUED = 60 }; /* steps after a snapshot */

/* --- hashes --- */

static void add(uint64_t *hash, const void *data, size_t size) {
    *hash = tr_hash_add(*hash, data, size);
}

static void add_number(uint64_t *hash, double value) {
    add(hash, &value, sizeof value);
}

static void add_text(uint64_t *hash, const char *text) {
    add(hash, text, strlen(text) + 1);
}

static void add_state(uint64_t *hash, const tr_state *state, const tr_model *model) {
    const size_t bodies = (size_t)model->body_count;
    add(hash, &state->pose.root_pos, sizeof(tr_vec3));
    add(hash, &state->pose.root_rot, sizeof(tr_quat));
    add(hash, state->pose.joint + 1, (bodies - 1) * sizeof(tr_quat));
    add(hash, &state->root_vel, sizeof(tr_vec3));
    add(hash, &state->root_omega, sizeof(tr_vec3));
    add(hash, state->joint_rate + 1, (bodies - 1) * sizeof(tr_vec3));
}

/* --- content --- */

static void add_outline(uint64_t *hash, const tr_driver_outline *o) {
    add_number(hash, o->entry_count);
    add_number(hash, o->first_count);
    add_number(hash, o->cyclic + 2 * o->mirrored);
    add_number(hash, o->duration_s);
    add_number(hash, o->cycle_s);
    add_text(hash, o->gain_set);
}

static void add_entries(uint64_t *hash, const tr_driver_sheet *sheet, const tr_model *model) {
    for (int i = 0; i < sheet->outline.entry_count; i++) {
        const tr_driver_entry *entry = &sheet->entry[i];
        add_text(hash, entry->gain_set);
        add_number(hash, entry->steps);
        add_number(hash, entry->skill);
        add_number(hash, entry->rises);
        add_state(hash, entry->start, model);
        if (entry->end)
            add_state(hash, entry->end, model);
    }
}

static void add_skills(uint64_t *hash, const tr_driver_sheet *sheet) {
    for (int i = 0; i < sheet->skill_count; i++) {
        const tr_driver_skill *skill = &sheet->skill[i];
        const double numbers[] = {skill->first,     skill->count,      skill->cyclic,
                                  skill->mirrored,  skill->rises,      skill->turn_rad,
                                  skill->speed_mps, skill->turn_rad_s, skill->faster_mps,
                                  skill->slower_mps};
        add_text(hash, skill->name);
        add(hash, numbers, sizeof numbers);
    }
    for (int i = 0; i < sheet->edge_count; i++) {
        const tr_driver_edge *edge = &sheet->edge[i];
        add_number(hash, edge->from + 1000.0 * edge->to + (edge->flips ? 0.5 : 0));
    }
}

static void add_sheet(uint64_t *hash, const tr_controller *controller, const tr_model *model) {
    tr_driver_sheet sheet;
    assert_int_equal(tr_driver_describe(controller->driver, controller->step_s, &sheet), TR_OK);
    add_text(hash, sheet.kind);
    add_number(hash, sheet.has_references);
    add_outline(hash, &sheet.outline);
    add_entries(hash, &sheet, model);
    add_skills(hash, &sheet);
    for (int i = 0; i < sheet.point_count; i++) {
        add(hash, &sheet.point[i].at, sizeof sheet.point[i].at);
        add_number(hash, sheet.point[i].begins + 2 * sheet.point[i].mirrored);
    }
    for (int i = 0; i < sheet.parameter_count; i++) {
        const tr_driver_parameter *p = &sheet.parameter[i];
        add_text(hash, p->name);
        add_text(hash, p->unit);
        add(hash, (double[]){p->low, p->high, p->initial, p->count}, 4 * sizeof(double));
    }
    tr_driver_sheet_deinit(&sheet);
}

static void save(const tr_controller *controller, tr_sections *out) {
    const tr_driver *driver = &controller->driver;
    *out = (tr_sections){0};
    assert_int_equal(driver->kind->save(driver->content, out, NULL), TR_OK);
    if (controller->rig)
        assert_int_equal(tr_rig_save(controller->rig, out, NULL), TR_OK);
}

static void add_sections(uint64_t *hash, const tr_controller *controller) {
    tr_sections sections;
    save(controller, &sections);
    for (int i = 0; i < sections.count; i++) {
        add_text(hash, sections.section[i].name);
        add_number(hash, sections.section[i].replaceable);
        add(hash, sections.section[i].bytes, sections.section[i].size);
    }
    tr_sections_deinit(&sections);
}

/* States about the starts of the entries: moved, turned and bent. */
static void add_nearest(uint64_t *hash, const tr_controller *controller, const tr_model *model) {
    tr_random random = tr_random_seed(11);
    for (int i = 0; i < 40; i++) {
        int entry = -1;
        bool mirrored = false;
        tr_state state = controller->spawn;
        state.pose.root_pos.z += 0.05 * tr_random_normal(&random);
        state.root_vel.x += 0.5 * tr_random_normal(&random);
        state.root_vel.y += 0.5 * tr_random_normal(&random);
        for (int b = 1; b < model->body_count; b++) {
            const tr_vec3 bend = {0.3 * tr_random_normal(&random), 0.3 * tr_random_normal(&random),
                                  0.3 * tr_random_normal(&random)};
            state.pose.joint[b] = tr_quat_mul(state.pose.joint[b], tr_quat_exp(bend));
        }
        tr_controller_nearest(controller, model, &state, &entry, &mirrored);
        add_number(hash, entry + (mirrored ? 0.5 : 0));
    }
}

static uint64_t hash_content(const tr_controller *controller, const tr_model *model) {
    uint64_t hash = tr_controller_hash(controller, model);
    tr_controller *image = NULL;
    assert_int_equal(tr_controller_mirror(controller, model, &image), TR_OK);
    assert_int_equal(tr_controller_check(image, model, NULL), TR_OK);
    add(&hash, &(uint64_t){tr_controller_hash(image, model)}, sizeof(uint64_t));
    add_sheet(&hash, image, model);
    tr_controller_destroy(image);
    add_sheet(&hash, controller, model);
    add_sections(&hash, controller);
    add_nearest(&hash, controller, model);
    return hash;
}

/* --- motion --- */

typedef struct scene {
    tr_stage *stage;
    tr_entity_id id[2];
    const tr_controller *controller;
    const tr_model *model;
} scene;

static scene open_scene(const tr_controller *controller, const tr_model *model) {
    scene s = {.controller = controller, .model = model};
    tr_world_def world = tr_world_def_default();
    const int last = tr_controller_outline(controller).entry_count - 1;
    const tr_spawn_def one = {
        .model = model, .controller = controller, .pos = {0.5, 0, 0}, .heading_rad = 0.3};
    const tr_spawn_def other = {.model = model,
                                .controller = controller,
                                .pos = {-3, 2, 0},
                                .heading_rad = -2,
                                .entry = last};
    tr_physics_init();
    world.step_s = controller->step_s;
    assert_int_equal(tr_stage_create(&world, &s.stage), TR_OK);
    assert_int_equal(tr_stage_spawn(s.stage, &one, &s.id[0]), TR_OK);
    assert_int_equal(tr_stage_spawn(s.stage, &other, &s.id[1]), TR_OK);
    return s;
}

/* A target that the kind cannot follow is refused, which counts as well. */
static void steer(const scene *s, int turn, uint64_t *hash) {
    const tr_steering_target target[] = {
        {.aim = TR_AIM_HEADING, .heading_rad = 1.4},
        {.aim = TR_AIM_POINT, .x = -4, .y = -3, .speed_mps = 0.4},
        {.aim = TR_AIM_CHARACTER, .character = s->id[1]},
        {.speed_mps = 0.5},
        {.aim = TR_AIM_HEADING, .heading_rad = -2.5, .speed_mps = 1.3},
        {0}};
    add_number(hash, tr_stage_set_target(s->stage, s->id[0], &target[turn % 6]));
    add_number(hash, tr_stage_set_target(s->stage, s->id[1], &target[(turn + 4) % 6]));
}

/* `share` of the way from each parameter's low to its high. */
static void set_parameters(const scene *s, double share, uint64_t *hash) {
    tr_driver_parameter parameter[TR_DRIVER_PARAMETER_MAX];
    const int count = tr_driver_parameters(s->controller->driver, parameter);
    for (int i = 0; i < count; i++) {
        double values[TR_DRIVER_VALUE_MAX];
        const double low = fmax(parameter[i].low, parameter[i].initial - 1),
                     high = fmin(parameter[i].high, parameter[i].initial + 1);
        for (int k = 0; k < parameter[i].count; k++)
            values[k] = low + (high - low) * share;
        add_number(hash, tr_stage_set_parameter(s->stage, s->id[i % 2], parameter[i].name, values,
                                                parameter[i].count, NULL));
    }
}

static void push(const scene *s, tr_vec3 force, int steps) {
    const tr_push push = {
        .entity = s->id[0], .body = s->model->trunk, .force = force, .steps = steps};
    assert_int_equal(tr_world_push(tr_stage_world(s->stage), &push), TR_OK);
}

/* A snapshot continues to the bit, in its own stage and in another. */
static void restore(const scene *s) {
    const tr_stage_library library = {&s->model, 1, &s->controller, 1};
    size_t size = 0, capacity = tr_stage_snapshot_size(s->stage);
    const uint64_t before = tr_stage_hash(s->stage);
    const tr_world_def world = *tr_world_definition(tr_stage_world(s->stage));
    tr_stage *fresh = NULL;
    OWN_MEMORY void *bytes = malloc(capacity);
    assert_int_equal(tr_stage_snapshot(s->stage, bytes, capacity, &size), TR_OK);
    assert_int_equal(tr_stage_create(&world, &fresh), TR_OK);
    assert_int_equal(tr_stage_restore(fresh, bytes, size, &library), TR_OK);
    for (int i = 0; i < CONTINUED; i++) {
        assert_true(tr_stage_hash(fresh) == tr_stage_hash(s->stage));
        assert_int_equal(tr_stage_step(s->stage), TR_OK);
        assert_int_equal(tr_stage_step(fresh), TR_OK);
    }
    tr_stage_destroy(fresh);
    assert_int_equal(tr_stage_restore(s->stage, bytes, size, &library), TR_OK);
    assert_true(tr_stage_hash(s->stage) == before);
}

/* What a kind shows under this name; zeros: nothing. */
static tr_driver_shown shown(const tr_doing *doing, const char *name) {
    const tr_driver_shown *found = tr_doing_find(doing, name);
    return found ? *found : (tr_driver_shown){.count = 0};
}

static void add_doing(uint64_t *hash, const scene *s, tr_entity_id id) {
    tr_doing doing = {.text = ""};
    const tr_runner *runner = &tr_stage_performer(s->stage, id)->runner;
    tr_runner_look(runner, &doing);
    assert_true(doing.text[0] || !runner->controller); /* every kind says what it does */
    const tr_driver_shown felt = shown(&doing, "felt_force");
    const tr_driver_shown learned = shown(&doing, "learned_force"), at = shown(&doing, "map_at");
    const double numbers[] = {doing.entry,        doing.skill,        doing.phase,
                              doing.mirrored,     doing.between,      doing.ended,
                              doing.down,         doing.feedback_rad, (double)doing.entries_done,
                              doing.choice_count, felt.count > 0,     doing.out_of_sequence,
                              felt.value[0],      felt.value[1],      learned.value[0],
                              learned.value[1],   at.count > 0,       at.value[0],
                              at.value[1],        at.value[2],        doing.reached != NULL};
    add(hash, numbers, sizeof numbers);
    add_text(hash, doing.text);
    for (int i = 0; i < doing.choice_count; i++)
        add_number(hash, doing.choice[i].entry + (doing.choice[i].mirrored ? 0.5 : 0) +
                             1000 * doing.choice[i].value);
    if (doing.reached)
        add_state(hash, doing.reached, s->model);
}

static void add_events(uint64_t *hash, const scene *s) {
    int count = 0, dropped = 0;
    const tr_stage_event *event = tr_stage_events(s->stage, &count, &dropped);
    for (int i = 0; i < count; i++)
        add_number(hash, event[i].kind + 10.0 * event[i].entity + 1e4 * event[i].other);
}

static void add_owners(uint64_t *hash, const scene *s) {
    tr_entity_id object[TR_OBJECT_MAX];
    const int count = tr_world_objects(tr_stage_world(s->stage), object, TR_OBJECT_MAX);
    for (int i = 0; i < count; i++)
        add_number(hash, tr_stage_rig_owner(s->stage, object[i]));
}

static void set_limp(const scene *s, bool limp) {
    assert_int_equal(tr_stage_set_limp(s->stage, s->id[0], limp), TR_OK);
}

static void set_controller(const scene *s, const tr_controller *controller) {
    assert_int_equal(tr_stage_set_controller(s->stage, s->id[1], controller), TR_OK);
}

/* What happens to the characters before step `i`. */
static void act(const scene *s, int i, uint64_t *hash) {
    if (i % 90 == 20)
        steer(s, i / 90, hash);
    if (i % 150 == 60)
        set_parameters(s, i == 60 ? 0.6 : 0.45, hash);
    if (i == 130)
        add_number(hash, tr_stage_set_entry(s->stage, s->id[1], 0, true));
    if (i == 200)
        push(s, (tr_vec3){60, -40, 10}, 25);
    if (i == 0 || i == 333)
        restore(s);
    if (i == 420)
        push(s, (tr_vec3){-500, 300, 0}, 40);
    if (i == 300)
        add_number(hash, tr_stage_put_rig(s->stage, s->id[0], s->controller));
    if (i == 380 || i == 390)
        set_limp(s, i == 380);
    if (i == 400 || i == 410)
        set_controller(s, i == 400 ? NULL : s->controller);
}

static uint64_t hash_motion(const tr_controller *controller, const tr_model *model, int steps) {
    scene s = open_scene(controller, model);
    uint64_t hash = TR_HASH_START;
    for (int i = 0; i < steps; i++) {
        act(&s, i, &hash);
        assert_int_equal(tr_stage_step(s.stage), TR_OK);
        add_events(&hash, &s);
        if (i % 5 > 0)
            continue;
        add(&hash, &(uint64_t){tr_stage_hash(s.stage)}, sizeof(uint64_t));
        add_doing(&hash, &s, s.id[0]);
        add_doing(&hash, &s, s.id[1]);
    }
    add_owners(&hash, &s);
    assert_int_equal(tr_stage_despawn(s.stage, s.id[0]), TR_OK);
    assert_int_equal(tr_stage_step(s.stage), TR_OK);
    add(&hash, &(uint64_t){tr_stage_hash(s.stage)}, sizeof(uint64_t));
    add_owners(&hash, &s);
    tr_stage_destroy(s.stage);
    return hash;
}

/* --- refusals --- */

/* A rig of its own, or none. */
static void add_rig(uint64_t *hash, const tr_sections *sections, const tr_model *model) {
    OWN_MEMORY tr_rig *rig = NULL;
    add_number(hash, tr_rig_load(sections, &rig, NULL));
    if (rig)
        add_number(hash, tr_rig_check(rig, model, NULL));
}

/* Loads and checks the sections as they are. */
static void add_load(uint64_t *hash, const tr_controller *controller, const tr_sections *sections,
                     const tr_model *model) {
    const tr_driver_setting setting = tr_controller_setting(controller, model);
    tr_driver driver = {.kind = controller->driver.kind};
    tr_status status = driver.kind->load(sections, &setting, &driver.content, NULL);
    add_number(hash, status);
    add_rig(hash, sections, model);
    if (status)
        return;
    add_number(hash, tr_driver_check(driver, &setting, NULL));
    driver.kind->destroy(driver.content);
}

/* Replaces the 8 bytes at `at` by hostile values, one after the other. */
static void add_probes(uint64_t *hash, const tr_controller *controller, const tr_sections *sections,
                       unsigned char *at, const tr_model *model) {
    int64_t was;
    memcpy(&was, at, sizeof was);
    const int64_t values[] = {
        (int64_t)((uint64_t)was + 1), /* -0.0 is INT64_MIN */
        (int64_t)((uint64_t)was - 1), was ^ INT64_MIN, 0, INT64_C(0x7ff8000000000000),
        INT64_C(0x4202a05f20000000) /* 1e10 */};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        memcpy(at, &values[i], sizeof was);
        add_load(hash, controller, sections, model);
    }
    memcpy(at, &was, sizeof was);
}

/* Counts changed sections that are sound, and those of them that change the hash. */
static void count_change(const tr_controller *controller, const tr_sections *sections,
                         const tr_model *model, int *loaded, int *differ) {
    const tr_driver_setting setting = tr_controller_setting(controller, model);
    const tr_driver_kind *kind = controller->driver.kind;
    void *content = NULL;
    if (kind->load(sections, &setting, &content, NULL))
        return;
    if (!kind->check(content, &setting, NULL)) {
        *loaded += 1;
        *differ +=
            kind->hash(content, &setting) != kind->hash(controller->driver.content, &setting);
    }
    kind->destroy(content);
}

/* What every kind owes: a copy through sections is sound and has the same hash, a section that is cut
 * anywhere is refused without a trace, and nine in ten of its numbers count in the hash. */
static void check_sections(const tr_controller *controller, const tr_model *model) {
    const tr_driver *driver = &controller->driver;
    const tr_driver_setting setting = tr_controller_setting(controller, model);
    tr_controller *copy = NULL;
    OWN_BY(tr_sections_deinit) tr_sections sections = {0};
    int loaded = 0, differ = 0;
    assert_int_equal(tr_controller_copy(controller, model, &copy), TR_OK);
    assert_int_equal(tr_controller_check(copy, model, NULL), TR_OK);
    assert_int_equal(tr_controller_hash(copy, model), tr_controller_hash(controller, model));
    tr_controller_destroy(copy);
    assert_int_equal(driver->kind->save(driver->content, &sections, NULL), TR_OK);
    for (int i = 0; i < sections.count; i++) {
        tr_section *section = &sections.section[i];
        const size_t whole = section->size;
        for (section->size = 0; section->size < whole; section->size += whole / 60 + 1) {
            void *content = NULL;
            assert_int_equal(driver->kind->load(&sections, &setting, &content, NULL), TR_DATA_LOSS);
            assert_null(content);
        }
        section->size = whole;
        for (size_t at = 0; at + 8 <= whole; at += whole / 60 / 8 * 8 + 8) {
            section->bytes[at] ^= 1;
            count_change(controller, &sections, model, &loaded, &differ);
            section->bytes[at] ^= 1;
        }
    }
    assert_true(10 * differ >= 9 * loaded);
}

/* States in bytes, each 4 of them replaced by small numbers, each 8 by large ones. */
static void add_states(uint64_t *hash, const tr_controller *controller) {
    static unsigned char bytes[TR_DRIVER_STATE_MAX];
    static max_align_t state[TR_DRIVER_STATE_MAX / sizeof(max_align_t)];
    tr_runner runner;
    tr_byte_writer writer = {bytes, 0};
    tr_runner_start(&runner, controller, 0, false);
    tr_driver_state_write(controller->driver, runner.state, &writer);
    for (size_t at = 0; at + 8 <= writer.size; at += 4)
        for (int value = -2; value < 24; value++) {
            unsigned char was[8];
            const int64_t large = value < 12 ? 0 : INT64_C(1) << (4 * (value - 12) + 8);
            memcpy(was, bytes + at, sizeof was);
            memcpy(bytes + at, value < 12 ? (const void *)&value : &large, value < 12 ? 4 : 8);
            tr_byte_reader source = {bytes, writer.size, false};
            add_number(hash, tr_driver_state_read(controller->driver, &source, state));
            memcpy(bytes + at, was, sizeof was);
        }
}

static uint64_t hash_refusals(const tr_controller *controller, const tr_model *model, int probes) {
    uint64_t hash = TR_HASH_START;
    tr_sections sections;
    save(controller, &sections);
    for (int i = 0; i < sections.count; i++) {
        tr_section *section = &sections.section[i];
        const size_t stride = section->size / (size_t)probes + 1;
        for (size_t at = 0; at + 8 <= section->size; at += at < 64 ? 8 : 8 * (stride / 8 + 1))
            add_probes(&hash, controller, &sections, section->bytes + at, model);
        section->size--;
        add_load(&hash, controller, &sections, model);
        section->size++;
    }
    tr_sections_deinit(&sections);
    add_states(&hash, controller);
    return hash;
}

void bits_check(const tr_controller *controller, const tr_model *model, const bits_golden *golden) {
    check_sections(controller, model);
    const uint64_t content = hash_content(controller, model),
                   motion = hash_motion(controller, model, golden->steps),
                   refusals = hash_refusals(controller, model, golden->probes);
    if (content != golden->content || motion != golden->motion || refusals != golden->refusals)
        fail_msg("content 0x%016llx, motion 0x%016llx, refusals 0x%016llx",
                 (unsigned long long)content, (unsigned long long)motion,
                 (unsigned long long)refusals);
}

/* --- bounds --- */

static void add_reals(uint64_t *hash, double *number, bits_accepts *accepts, const void *context) {
    static const double round_numbers[] = {
        0,   1e-300, 1e-12, 1e-9, 1e-6,  1e-3,   0.01, 0.02, 0.05, 0.1, 0.2,  0.25,
        0.3, 0.5,    0.6,   0.99, 0.999, 0.9999, 1,    1.2,  1.5,  2,   3,    3.2,
        5,   10,     20,    50,   100,   200,    1e3,  1e4,  1e6,  1e9, 1e12, 1e13};
    const double was = *number;
    for (size_t i = 0; i < sizeof round_numbers / sizeof *round_numbers; i++)
        for (int how = 0; how < 6; how++) {
            const double value = how % 2 ? -round_numbers[i] : round_numbers[i];
            *number = how < 2 ? value : nextafter(value, how < 4 ? 1e300 : -1e300);
            add_number(hash, accepts(context));
        }
    *number = (double)NAN;
    add_number(hash, accepts(context));
    *number = (double)INFINITY;
    add_number(hash, accepts(context));
    *number = was;
}

static void add_integers(uint64_t *hash, const bits_number *number, bits_accepts *accepts,
                         const void *context) {
    const int was = *number->integer;
    for (int value = number->low; value <= number->high; value++) {
        *number->integer = value;
        add_number(hash, accepts(context));
    }
    *number->integer = was;
}

void bits_check_bounds(const bits_number *numbers, size_t count, bits_accepts *accepts,
                       const void *context, uint64_t golden) {
    uint64_t hash = TR_HASH_START;
    assert_true(accepts(context));
    for (size_t i = 0; i < count; i++)
        if (numbers[i].real)
            add_reals(&hash, numbers[i].real, accepts, context);
        else
            add_integers(&hash, &numbers[i], accepts, context);
    if (hash != golden)
        fail_msg("bounds 0x%016llx", (unsigned long long)hash);
}

bool bits_accepts_controller(const void *subject) {
    const bits_subject *s = subject;
    return !tr_controller_check(s->controller, s->model, NULL);
}
