# What src/embedded embeds: the page that studio/ builds to, and the example models.
set(EMBED ${CMAKE_SOURCE_DIR}/cmake/embed_files.py)
set(EMBEDDED ${CMAKE_BINARY_DIR}/embedded)
file(MAKE_DIRECTORY ${EMBEDDED})
find_package(Python3 REQUIRED COMPONENTS Interpreter)

file(GLOB examples CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/models/*.prejoin)
add_custom_command(
  OUTPUT ${EMBEDDED}/example_files.cc
  COMMAND ${Python3_EXECUTABLE} ${EMBED} ${EMBEDDED}/example_files.cc ExampleFiles ${CMAKE_SOURCE_DIR}/examples/models
          "*.prejoin"
  DEPENDS ${EMBED} ${examples}
  COMMENT "Embedding the example models"
  VERBATIM)

add_custom_command(
  OUTPUT ${EMBEDDED}/guide_files.cc
  COMMAND ${Python3_EXECUTABLE} ${EMBED} ${EMBEDDED}/guide_files.cc GuideFiles ${CMAKE_SOURCE_DIR}/docs/model grammar.md
  DEPENDS ${EMBED} ${CMAKE_SOURCE_DIR}/docs/model/grammar.md
  COMMENT "Embedding the grammar"
  VERBATIM)

set(PAGE ${CMAKE_SOURCE_DIR}/studio)
set(page_dist ${EMBEDDED}/no_page)
set(page_stamp "")
if(PREJOIN_STUDIO AND EXISTS ${PAGE}/package.json)
  find_program(NPM npm)
  if(NOT NPM)
    message(FATAL_ERROR "The studio's page is built with npm: run scripts/setup build, or configure with -DPREJOIN_STUDIO=OFF")
  endif()
  set(page_dist ${EMBEDDED}/page)
  set(page_stamp ${EMBEDDED}/page.stamp)
  file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS ${PAGE}/src/* ${PAGE}/public/*)
  file(GLOB page_settings CONFIGURE_DEPENDS ${PAGE}/*.json ${PAGE}/*.html ${PAGE}/*.ts ${PAGE}/*.js ${PAGE}/*.mjs)
  add_custom_command(
    OUTPUT ${page_stamp}
    COMMAND ${CMAKE_SOURCE_DIR}/cmake/build_page ${NPM} ${page_dist}
    COMMAND ${CMAKE_COMMAND} -E touch ${page_stamp}
    WORKING_DIRECTORY ${PAGE}
    DEPENDS ${page_sources} ${page_settings} ${CMAKE_SOURCE_DIR}/cmake/build_page
    COMMENT "Building the studio's page"
    VERBATIM)
endif()
add_custom_command(
  OUTPUT ${EMBEDDED}/page_files.cc
  COMMAND ${Python3_EXECUTABLE} ${EMBED} ${EMBEDDED}/page_files.cc PageFiles ${page_dist}
  DEPENDS ${EMBED} ${page_stamp}
  COMMENT "Embedding the studio's page"
  VERBATIM)

target_sources(pj_embedded PRIVATE ${EMBEDDED}/example_files.cc ${EMBEDDED}/guide_files.cc ${EMBEDDED}/page_files.cc)
# The page takes a while to build; the rest of the layer need not wait for it in a common unit.
set_source_files_properties(${EMBEDDED}/example_files.cc ${EMBEDDED}/guide_files.cc ${EMBEDDED}/page_files.cc
                            PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS -Wno-overlength-strings)
