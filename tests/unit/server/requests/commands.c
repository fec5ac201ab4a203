#include "cmocka_test.h"

#include "server/requests/commands/commands.h"

/* The daemon would not know a command without a row. */
TEST(every_command_of_the_schema_has_a_row_of_its_name) {
    const ProtobufCMessageDescriptor *commands = &troupe__command__descriptor;
    int count = 0;
    for (unsigned i = 0; i < commands->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &commands->fields[i];
        if (!(field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF))
            continue;
        const tr_command_kind *kind = tr_command_find(&tr_commands, field->id);
        if (!kind)
            fail_msg("server/requests/commands: no row for the command %s", field->name);
        assert_string_equal(kind->name, field->name);
        count++;
    }
    assert_int_equal(count, tr_commands.count);
}

/* ... and no row admits a client that has not logged in. */
TEST(every_row_names_a_role) {
    for (int i = 0; i < tr_commands.count; i++) {
        assert_true(tr_commands.kind[i]->right.role >= TR_ROLE_PLAYER);
        assert_true(tr_commands.kind[i]->right.own_role >= TR_ROLE_PLAYER);
    }
}

TEST(every_row_acts_somewhere) {
    for (int i = 0; i < tr_commands.count; i++) {
        const tr_command_kind *kind = tr_commands.kind[i];
        assert_true(kind->admit || kind->apply || kind->replay);
        if (kind->keeps != TR_KEEP_NOTHING)
            assert_non_null(kind->apply);
    }
}

TEST(an_unknown_command_has_no_row) {
    assert_null(tr_command_find(&tr_commands, 9999));
    assert_null(tr_command_find(&tr_commands, 0));
}
