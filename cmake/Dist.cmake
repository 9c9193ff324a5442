# The preset `dist`: one program that runs on any Linux, and libprejoin.so that needs nothing but glibc. docs/adr/0035.
#
# Included behind find_package: it puts Debian's static archives in the place of the shared libraries that were found. simdjson has no
# archive in Debian 12, so its source (scripts/setup dist) is compiled. RADOS stays out: librados cannot be loaded by a static program.
include_guard()

# RocksDB's own libraries and those of libedit, which static archives do not name.
set(rocksdb_needs snappy lz4 zstd z bz2 gflags)
set(edit_needs bsd md tinfo)

function(prejoin_find_archive NAME OUT)
  find_library(ARCHIVE_${NAME} lib${NAME}.a REQUIRED)
  set(${OUT} ${ARCHIVE_${NAME}} PARENT_SCOPE)
endfunction()

# Libraries in C whose unwind tables are dead weight: no exception passes through them. Without these the program is 0.7 MB smaller.
set(without_unwinding crypto ssl pg_query yaml lz4 zstd z bz2 tinfo md bsd)

# The archive that is linked in the place of `ARCHIVE`: for libraries of that list a copy without unwind tables, below archives/ in the
# build folder, where packaging/contents.py finds out what it is a copy of.
function(prejoin_lean_archive ARCHIVE OUT)
  set(${OUT} ${ARCHIVE} PARENT_SCOPE)
  get_filename_component(name ${ARCHIVE} NAME_WLE)
  string(REGEX REPLACE "^lib" "" name ${name})
  if(NOT name IN_LIST without_unwinding)
    return()
  endif()
  set(lean ${CMAKE_BINARY_DIR}/archives${ARCHIVE})
  if(${ARCHIVE} IS_NEWER_THAN ${lean})  # Or the copy is missing.
    get_filename_component(folder ${lean} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    execute_process(COMMAND ${CMAKE_OBJCOPY} --enable-deterministic-archives --remove-section=.eh_frame --remove-section=.rela.eh_frame
                            ${ARCHIVE} ${lean}
                    COMMAND_ERROR_IS_FATAL ANY)
  endif()
  set(${OUT} ${lean} PARENT_SCOPE)
endfunction()

# Every imported shared library that has an archive beside it.
function(prejoin_use_archives)
  get_property(targets DIRECTORY PROPERTY IMPORTED_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL "SHARED_LIBRARY" AND NOT type STREQUAL "UNKNOWN_LIBRARY")
      continue()
    endif()
    get_target_property(configurations ${target} IMPORTED_CONFIGURATIONS)
    foreach(configuration "" ${configurations})
      string(REGEX REPLACE "^(.+)$" "_\\1" suffix "${configuration}")
      get_target_property(location ${target} IMPORTED_LOCATION${suffix})
      if(location)
        string(REGEX REPLACE "\\.so(\\.[0-9.]+)?$" ".a" archive "${location}")
        if(EXISTS ${archive})
          prejoin_lean_archive(${archive} archive)
          set_target_properties(${target} PROPERTIES IMPORTED_LOCATION${suffix} ${archive})
        endif()
      endif()
    endforeach()
  endforeach()
endfunction()

prejoin_use_archives()
set(rocksdb_archives "")
foreach(name ${rocksdb_needs})
  prejoin_find_archive(${name} archive)
  prejoin_lean_archive(${archive} archive)
  list(APPEND rocksdb_archives ${archive})
endforeach()
set_target_properties(RocksDB::rocksdb-shared PROPERTIES INTERFACE_LINK_LIBRARIES "${rocksdb_archives}")
foreach(library ZSTD PG_QUERY YAML EDIT)
  string(REGEX REPLACE "\\.so$" ".a" ${library}_LIBRARY "${${library}_LIBRARY}")
  prejoin_lean_archive(${${library}_LIBRARY} ${library}_LIBRARY)
endforeach()
foreach(name ${edit_needs})
  prejoin_find_archive(${name} archive)
  prejoin_lean_archive(${archive} archive)
  list(APPEND EDIT_LIBRARY ${archive})
endforeach()

set(PREJOIN_SIMDJSON ${CMAKE_SOURCE_DIR}/build/sources/simdjson CACHE PATH "simdjson.cpp and simdjson.h (scripts/setup dist)")
if(NOT EXISTS ${PREJOIN_SIMDJSON}/simdjson.cpp)
  message(FATAL_ERROR "The source of simdjson is missing in ${PREJOIN_SIMDJSON}: run scripts/setup dist")
endif()
add_library(simdjson_source STATIC ${PREJOIN_SIMDJSON}/simdjson.cpp)
target_include_directories(simdjson_source SYSTEM PUBLIC ${PREJOIN_SIMDJSON})
target_compile_options(simdjson_source PRIVATE -w)
add_library(simdjson::simdjson ALIAS simdjson_source)

# What no call reaches is left out.
add_compile_options(-ffunction-sections -fdata-sections)
# ccache makes paths relative to the build folder. With and without it, files are named from the root of the tree.
file(RELATIVE_PATH source_from_build ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR})
add_compile_options(-ffile-prefix-map=${CMAKE_BINARY_DIR}/= -ffile-prefix-map=${source_from_build}=)
add_link_options(LINKER:--gc-sections LINKER:--strip-all)
add_compile_definitions(PREJOIN_STATIC)

set(CMAKE_SKIP_BUILD_RPATH ON)

# The program. Its relocations are packed; for a library, only the loader of glibc 2.36 understands that.
string(APPEND CMAKE_EXE_LINKER_FLAGS " -static-pie -Wl,-z,pack-relative-relocs")
# The library: glibc is the program's that loads it, all else is inside.
string(APPEND CMAKE_SHARED_LINKER_FLAGS " -static-libstdc++ -static-libgcc")

# To be called once the program's target exists.
function(prejoin_dist_program PROGRAM)
  target_compile_options(${PROGRAM} PRIVATE -Os)
  # Of a template's copies the linker takes the first. Hot layers come first, so that requests run the one that is compiled for speed.
  get_property(hot GLOBAL PROPERTY PREJOIN_HOT)
  foreach(layer ${hot})
    target_link_options(${PROGRAM} PRIVATE $<TARGET_FILE:${layer}>)
  endforeach()
  target_sources(${PROGRAM} PRIVATE ${CMAKE_SOURCE_DIR}/packaging/left_out.cc)
  set(left_out ${CMAKE_SOURCE_DIR}/packaging/left_out.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${left_out})
  file(STRINGS ${left_out} symbols REGEX "^[^#]")
  foreach(symbol ${symbols})
    target_link_options(${PROGRAM} PRIVATE LINKER:--defsym=${symbol}=prejoin_left_out)
  endforeach()
endfunction()
