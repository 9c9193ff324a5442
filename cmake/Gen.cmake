# What src/gen embeds: the files of generated packages that are the same for every model.
set(GEN_SOURCE ${CMAKE_SOURCE_DIR}/src/gen)
set(GEN_TEXTS ${CMAKE_BINARY_DIR}/embedded/support_files.cc)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/embedded)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
file(GLOB gen_texts CONFIGURE_DEPENDS ${GEN_SOURCE}/*/*.ts ${GEN_SOURCE}/*/*.py ${GEN_SOURCE}/*/*.go ${GEN_SOURCE}/*/*.java
     ${GEN_SOURCE}/*/*.rs
     ${GEN_SOURCE}/cpp/*.h.in ${GEN_SOURCE}/*/*.spelling)
add_custom_command(
  OUTPUT ${GEN_TEXTS}
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/embed_texts.py ${GEN_TEXTS} ${GEN_SOURCE} ${gen_texts}
  DEPENDS ${CMAKE_SOURCE_DIR}/cmake/embed_texts.py ${gen_texts}
  COMMENT "Embedding the support files of generated code"
  VERBATIM)
target_sources(pj_gen PRIVATE ${GEN_TEXTS})
set_source_files_properties(${GEN_TEXTS} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS -Wno-overlength-strings)
