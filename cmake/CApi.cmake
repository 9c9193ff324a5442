# libprejoin.so: the C library (include/prejoin/prejoin.h). Exports prejoin_* and nothing else, whatever is linked into it.
# Its static form is libprejoin.a (Install.cmake), which has the C++ interface too.
set(PREJOIN_ABI 1)  # PREJOIN_ABI_VERSION rises with each new function; this only if programs would have to be compiled again.
set(capi_exports ${CMAKE_SOURCE_DIR}/src/capi/exports.map)
add_library(prejoin_shared SHARED $<TARGET_OBJECTS:pj_capi>)
set_target_properties(
  prejoin_shared
  PROPERTIES OUTPUT_NAME prejoin
             SOVERSION ${PREJOIN_ABI}
             VERSION ${PREJOIN_ABI}.${PROJECT_VERSION}
             LINKER_LANGUAGE CXX
             LINK_DEPENDS ${capi_exports}
             LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
target_link_libraries(prejoin_shared PRIVATE pj_wire)
target_link_options(prejoin_shared PRIVATE LINKER:--version-script=${capi_exports} LINKER:--gc-sections)
if(PREJOIN_DIST)
  # In memory only, for glibc 2.34 and newer: each file says why. Their objects come first, so that nothing of the archive of `storage`, and of
  # RocksDB, is linked.
  target_sources(
    prejoin_shared
    PRIVATE ${CMAKE_SOURCE_DIR}/src/storage/memory_store.cc ${CMAKE_SOURCE_DIR}/src/storage/memory_tree.cc
            ${CMAKE_SOURCE_DIR}/src/storage/latches.cc ${CMAKE_SOURCE_DIR}/packaging/memory_only.cc
            ${CMAKE_SOURCE_DIR}/packaging/older_glibc.cc)
endif()
