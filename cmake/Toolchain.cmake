# Compiler settings that every target shares.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT PREJOIN_DIST)  # Dist.cmake links them with -static-pie.
  include(CheckPIESupported)
  check_pie_supported()  # Links what is compiled so as position-independent programs.
endif()

# The base folder makes paths relative before they are hashed, so that clones and work trees share what one of them compiled.
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${CCACHE})
endif()

find_program(MOLD mold)
find_program(LLD ld.lld)
if(MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_link_options(-fuse-ld=mold)
elseif(LLD)
  add_link_options(-fuse-ld=lld)
endif()
set_property(GLOBAL PROPERTY JOB_POOLS link=1)
set(CMAKE_JOB_POOL_LINK link)

# __int128 holds the 38 digits of a number; -Wpedantic would call it an extension.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
                    -Wno-missing-field-initializers)  # Designated initializers leave members at their defaults on purpose.
if(PREJOIN_WARNINGS_ARE_ERRORS)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # At -O2, and in instrumented code, GCC 12 takes the inactive members of std::variant for uninitialised reads, and inlined std::string code for
  # overruns; the sanitizers find the real ones.
  set(false_alarms -Wno-maybe-uninitialized -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
  add_compile_options(-fpch-preprocess "$<$<OR:$<CONFIG:Release>,$<BOOL:${PREJOIN_SANITIZE}>>:${false_alarms}>")
else()
  add_compile_options(-Wthread-safety)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()

# What users run is hardened: a write past a buffer, a smashed stack or a jump into nowhere ends the process instead of running somebody else's code.
# Sanitizers find the same and more, and do not go together with it. The standard library's assertions cost
# hot layers more than two percent, so those do without (Layers.cmake).
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT PREJOIN_SANITIZE)
  add_compile_definitions(_FORTIFY_SOURCE=3 _GLIBCXX_ASSERTIONS)
  add_compile_options(-fstack-protector-strong -fstack-clash-protection)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    add_compile_options(-fcf-protection=full)
  endif()
  add_link_options(LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
  # No path of the machine that built it stands in the program, and two folders give the same one.
  add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
endif()

if(PREJOIN_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(PREJOIN_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread)
  add_link_options(-fsanitize=thread)
endif()
if(PREJOIN_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)  # Coverage in every layer is what guides the fuzzer.
endif()
