# Build rules of the house: one static library per folder, explicit sources, hidden visibility,
# PRIVATE links that enforce the layers, and the determinism flags in one place.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

option(TROUPE_WERROR "Treat warnings as errors" OFF)
set(TROUPE_SANITIZE "" CACHE STRING "Value for -fsanitize=, empty for none")

include(GNUInstallDirs)
option(TROUPE_PACKAGE "Look for models, joint maps and the viewer only where they are installed, as a package does" OFF)
if(TROUPE_PACKAGE) # no trace of the folder that it was built in
  add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
endif()
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

# Results must not depend on the optimiser: no contraction to fused multiply-add, no fast-math.
add_compile_options(-ffp-contract=off -fno-fast-math)
add_compile_definitions(_GNU_SOURCE)
set(TROUPE_WARNINGS
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
    -Wdouble-promotion -Wformat=2)
if(TROUPE_WERROR)
  list(APPEND TROUPE_WARNINGS -Werror)
endif()
if(TROUPE_SANITIZE)
  add_compile_options(-fsanitize=${TROUPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TROUPE_SANITIZE})
endif()

# troupe_library(NAME SOURCES ... [INCLUDE_AS math | server/net] [PUBLIC targets] [PRIVATE targets] [PACKAGES pkg-config names])
# Headers are included as "folder/noun.h". INCLUDE_AS gives the library an include root of its own that
# holds nothing but this folder under that name, so that a file of a library which is not linked cannot be included.
function(troupe_library name)
  cmake_parse_arguments(A "" "INCLUDE_AS" "SOURCES;PUBLIC;PRIVATE;PACKAGES" ${ARGN})
  add_library(${name} STATIC ${A_SOURCES})
  target_compile_options(${name} PRIVATE ${TROUPE_WARNINGS})
  if(A_INCLUDE_AS)
    set(root ${CMAKE_BINARY_DIR}/include/${name})
    cmake_path(GET A_INCLUDE_AS PARENT_PATH parent)
    file(MAKE_DIRECTORY ${root}/${parent})
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/${A_INCLUDE_AS} SYMBOLIC)
    target_include_directories(${name} PUBLIC ${root})
  endif()
  target_link_libraries(${name} PUBLIC ${A_PUBLIC} PRIVATE ${A_PRIVATE} m)
  foreach(package IN LISTS A_PACKAGES)
    pkg_check_modules(PKG_${package} REQUIRED IMPORTED_TARGET ${package})
    target_link_libraries(${name} PRIVATE PkgConfig::PKG_${package})
  endforeach()
endfunction()

# troupe_limit(TEST SECONDS): what a test may take, ten times as much under a sanitizer or an emulator.
function(troupe_limit test seconds)
  if(TROUPE_SANITIZE OR CMAKE_CROSSCOMPILING_EMULATOR)
    math(EXPR seconds "10 * ${seconds}")
  endif()
  set_tests_properties(${test} PROPERTIES TIMEOUT ${seconds})
endfunction()

# troupe_tests(FOLDER NOUNS ... LIBRARIES ... [SOURCES more.c] [LABELS ...] [TIMEOUT seconds]): each tests/FOLDER/NOUN.c is a
# suite, the test FOLDER/NOUN of ctest. All are one program, test_FOLDER with "_" for "/"; a target of each suite's name builds
# it too. TIMEOUT as troupe_limit.
function(troupe_tests folder)
  cmake_parse_arguments(A "" "TIMEOUT" "NOUNS;SOURCES;LIBRARIES;LABELS" ${ARGN})
  list(REMOVE_ITEM ARGN NOUNS ${A_NOUNS})
  string(REPLACE "/" "_" program test_${folder})
  list(TRANSFORM A_NOUNS PREPEND ${folder}/ OUTPUT_VARIABLE paths)
  troupe_test_program(${program} SUITES ${paths} ${ARGN})
  foreach(path IN LISTS paths)
    string(REPLACE "/" "_" name test_${path})
    add_custom_target(${name} DEPENDS ${program})
  endforeach()
endfunction()

# troupe_test(PATH [WRAP functions] ...): as troupe_tests, for one suite. WRAP: it defines __wrap_FUNCTION, which is called instead.
function(troupe_test path)
  string(REPLACE "/" "_" program test_${path})
  troupe_test_program(${program} SUITES ${path} ${ARGN})
endfunction()

function(troupe_test_program program)
  cmake_parse_arguments(A "" "TIMEOUT" "SUITES;SOURCES;LIBRARIES;LABELS;WRAP" ${ARGN})
  list(TRANSFORM A_SUITES REPLACE "(.+)" "${CMAKE_SOURCE_DIR}/tests/\\1.c" OUTPUT_VARIABLE sources)
  add_executable(${program} ${CMAKE_SOURCE_DIR}/tests/suite.c ${sources} ${A_SOURCES})
  target_compile_options(${program} PRIVATE ${TROUPE_WARNINGS})
  target_include_directories(${program} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(${program} PRIVATE TR_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                                TR_SHARED_DIR="${CMAKE_SOURCE_DIR}/../shared")
  target_link_libraries(${program} PRIVATE ${A_LIBRARIES} cmocka m Threads::Threads)
  foreach(name IN LISTS A_WRAP)
    target_link_options(${program} PRIVATE -Wl,--wrap=${name})
  endforeach()
  foreach(path IN LISTS A_SUITES)
    add_test(NAME ${path} COMMAND ${program} ${path})
    set_tests_properties(${path} PROPERTIES LABELS "${A_LABELS}" SKIP_RETURN_CODE 77)
    if(A_TIMEOUT)
      troupe_limit(${path} ${A_TIMEOUT})
    endif()
  endforeach()
endfunction()
