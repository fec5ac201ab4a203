#include "cmocka_test.h"

#include "unit/learn/balance/ride.h"

#include "learn/method/making.h"

#include <math.h>

ride ride_begin_in(const tr_model *model, const tr_controller *controller, tr_vec3 gravity) {
    ride r = {0};
    tr_world_def world = tr_world_def_default();
    world.gravity = gravity;
    const tr_spawn_def spawn = {.model = model, .controller = controller};
    assert_int_equal(tr_stage_create(&world, &r.stage), TR_OK);
    assert_int_equal(tr_stage_spawn(r.stage, &spawn, &r.id), TR_OK);
    if (controller->rig)
        assert_true(tr_world_objects(tr_stage_world(r.stage), &r.object, 1) > 0);
    return r;
}

ride ride_begin(const tr_model *model, const tr_controller *controller) {
    return ride_begin_in(model, controller, tr_world_def_default().gravity);
}

void ride_end(const ride *r) {
    tr_stage_destroy(r->stage);
}

void ride_run(const ride *r, double seconds) {
    const double step_s = tr_world_def_default().step_s;
    for (int i = 0; i < (int)round(seconds / step_s); i++)
        assert_int_equal(tr_stage_step(r->stage), TR_OK);
}

tr_state ride_state(const ride *r) {
    tr_state state;
    assert_int_equal(tr_world_get_state(tr_stage_world(r->stage), r->id, &state), TR_OK);
    return state;
}

tr_object_state ride_object(const ride *r) {
    tr_object_state object;
    assert_int_equal(tr_world_get_object(tr_stage_world(r->stage), r->object, &object), TR_OK);
    return object;
}

tr_torque *ride_content(const tr_controller *controller) {
    return controller->driver.content;
}

tr_status ride_make(const tr_method *method, const tr_model *model, const void *settings,
                    tr_controller **out, tr_error *error) {
    _Alignas(max_align_t) unsigned char defaults[TR_METHOD_SETTINGS_MAX] = {0};
    const tr_method_def def = {model, settings ? settings : defaults, NULL, "", 1, NULL};
    tr_making work = {0};
    tr_method_reset(method, defaults);
    tr_status status = method->begin(&def, &work, error);
    *out = work.controller;
    return status;
}
