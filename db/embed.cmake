# Makes the SQL of migrations/NNN.sql part of the program. The first file makes the oldest schema that is known.
# Usage: cmake -DOUTPUT=migrations.c -DFILES="007.sql;008.sql" -P embed.cmake
set(code "#include \"db/store/schema.h\"\n\n")
set(names "")
set(count 0)
list(GET FILES 0 first)
string(REGEX REPLACE ".*/0*([0-9]+)\\.sql$" "\\1" first "${first}")
foreach(file IN LISTS FILES)
  math(EXPR count "${count} + 1")
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND code "static const char migration_${count}[] = {${bytes}0};\n")
  string(APPEND names "migration_${count},")
endforeach()
string(APPEND code "\nstatic const char *const migrations[] = {${names}};\n"
                   "const tr_migrations tr_schema_migrations = {migrations, ${first}, ${first} + ${count} - 1};\n")
file(WRITE ${OUTPUT} "${code}")
