# Makes the SQL of migrations/NNN.sql part of the program.
# Usage: cmake -DOUTPUT=migrations.c -DFILES="001.sql;002.sql" -P embed.cmake
set(code "#include \"db/store/schema.h\"\n\n")
set(names "")
set(count 0)
foreach(file IN LISTS FILES)
  math(EXPR count "${count} + 1")
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND code "static const char migration_${count}[] = {${bytes}0};\n")
  string(APPEND names "migration_${count},")
endforeach()
string(APPEND code "\nstatic const char *const migrations[] = {${names}};\n"
                   "const tr_migrations tr_schema_migrations = {migrations, ${count}, tr_schema_convert};\n")
file(WRITE ${OUTPUT} "${code}")
