# Debian packages: cpack in a build made with the preset `package` (deploy/package.sh does all of it).
#
#   troupe          trouped, troupe, troupe-train, troupe-bouts, models and joint maps, shipped controllers, viewer, unit, man pages
#   libtroupe0      the C client's shared library
#   libtroupe-dev   its headers and pkg-config file
#   python3-troupe  the Python client
# `.invalid` never resolves (RFC 2606): no address is published. Who distributes the packages sets -DTROUPE_CONTACT.
set(TROUPE_CONTACT "Troupe maintainers <maintainers@troupe.invalid>" CACHE STRING "Maintainer field of the packages")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME troupe)
set(CPACK_PACKAGE_CONTACT "${TROUPE_CONTACT}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL daemon cli train data documents service library client python)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)

set(package ${CMAKE_SOURCE_DIR}/deploy/package)
set(CPACK_DEBIAN_TROUPE_PACKAGE_NAME troupe)
set(CPACK_DEBIAN_TROUPE_PACKAGE_SECTION net)
set(CPACK_DEBIAN_TROUPE_DESCRIPTION
"server of learned, physically simulated characters
trouped hosts worlds of humanoids that walk, run and kick by feedback
controllers learned from motion capture. Games steer and push them over TCP,
browsers over WebSocket. With the command line client troupe, the trainer
troupe-train, the shipped controllers and the web viewer.")
set(CPACK_DEBIAN_TROUPE_PACKAGE_CONTROL_EXTRA "${package}/postinst;${package}/prerm;${package}/postrm;${package}/conffiles")
set(CPACK_DEBIAN_TROUPE_PACKAGE_DEPENDS adduser)
set(CPACK_DEBIAN_TROUPE_PACKAGE_RECOMMENDS "bash-completion")

set(CPACK_DEBIAN_LIBTROUPE_PACKAGE_NAME libtroupe0)
set(CPACK_DEBIAN_LIBTROUPE_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBTROUPE_PACKAGE_CONTROL_EXTRA ${package}/triggers)
set(CPACK_DEBIAN_LIBTROUPE_DESCRIPTION
"client library of trouped
What a game links to talk with trouped, the server of physics-based
characters: blocking calls, or callbacks on a libuv loop.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtroupe-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libtroupe0 (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
"client library of trouped, to build with
Headers and pkg-config file of the C client of trouped, the server of
physics-based characters.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-troupe)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.11), python3-protobuf")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-numpy")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION
"Python client of trouped
Blocking and asyncio clients of the server of physics-based characters, and
environments for reinforcement learning in the shape of Gymnasium and
PettingZoo.")

# For another processor (deploy/cross/package.sh): what these packages need is what those of this system need, in the folder
# TROUPE_NATIVE_PACKAGES. ODE is inside, and needs the library of C++.
if(TROUPE_NATIVE_PACKAGES)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
  foreach(name troupe libtroupe0)
    execute_process(COMMAND sh -c "dpkg-deb -f ${TROUPE_NATIVE_PACKAGES}/${name}_*.deb Depends" OUTPUT_VARIABLE needs
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX REPLACE "libode8[^,]*" "libstdc++6, libgcc-s1" needs "${needs}")
    string(REGEX REPLACE "0$" "" group ${name})
    string(TOUPPER ${group} group)
    set(CPACK_DEBIAN_${group}_PACKAGE_DEPENDS "${needs}")
  endforeach()
endif()

# A changelog of one entry and a copyright file, in each package.
if(TROUPE_PACKAGE)
  string(TIMESTAMP TROUPE_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
  configure_file(${package}/changelog.in changelog @ONLY)
  execute_process(COMMAND gzip -9nkf ${CMAKE_BINARY_DIR}/changelog)
  set(changed_documents troupe)
  set(changed_library libtroupe0)
  set(changed_client libtroupe-dev)
  set(changed_python python3-troupe)
  foreach(component documents library client python)
    install(FILES ${CMAKE_BINARY_DIR}/changelog.gz ${package}/copyright
            DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${changed_${component}} COMPONENT ${component})
  endforeach()
  install(FILES ${package}/libtroupe0.overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME libtroupe0 COMPONENT library)
endif()

include(CPack)
foreach(component daemon cli train data documents service)
  cpack_add_component(${component} GROUP troupe)
endforeach()
cpack_add_component(library GROUP libtroupe)
cpack_add_component(client GROUP development)
cpack_add_component(python GROUP python)
