#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "server/access/permission.h"

/* A message that nobody thought about would be for the admin alone: safe, but a mistake. */
static void every_command_has_a_row(void **state) {
    (void)state;
    const ProtobufCMessageDescriptor *commands = &troupe__command__descriptor;
    int count = 0;
    for (unsigned i = 0; i < commands->n_fields; i++)
        if ((commands->fields[i].flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0) {
            if (!tr_command_is_listed((Troupe__Command__CommandCase)commands->fields[i].id))
                fail_msg("server/access/permission.c: no row for the command %s",
                         commands->fields[i].name);
            count++;
        }
    assert_true(count > 15);
}

static void what_is_not_listed_is_for_the_admin(void **state) {
    (void)state;
    assert_false(tr_command_is_listed((Troupe__Command__CommandCase)9999));
    tr_command_right right = tr_command_rights((Troupe__Command__CommandCase)9999);
    assert_int_equal(right.role, TR_ROLE_ADMIN);
    assert_int_equal(right.own_role, TR_ROLE_ADMIN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_has_a_row),
        cmocka_unit_test(what_is_not_listed_is_for_the_admin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
