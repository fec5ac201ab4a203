# The loops of latent control are built once per instruction set and chosen at run time (latent_kernel.h), as the kernels
# of physics are (physics/CMakeLists.txt says why AVX2 goes without FMA). Sets latent_kernels.
set(isas sse2)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND isas avx2)
  set(flags_avx2 -mavx2 -mno-fma)
endif()
set(latent_kernels)
foreach(isa IN LISTS isas)
  set(name troupe_latent_${isa})
  add_library(${name} OBJECT latent/latent_loops.c)
  target_compile_options(${name} PRIVATE ${TROUPE_WARNINGS} -Wno-psabi ${flags_${isa}}
                                         $<$<CONFIG:Release>:-O3>)
  target_compile_definitions(${name} PRIVATE TR_LATENT_KERNEL=tr_latent_kernel_${isa}
                                             TR_LATENT_KERNEL_NAME="${isa}")
  target_include_directories(${name} PRIVATE ${CMAKE_BINARY_DIR}/include/troupe_control)
  target_link_libraries(${name} PRIVATE troupe_status)
  list(APPEND latent_kernels $<TARGET_OBJECTS:${name}>)
endforeach()
