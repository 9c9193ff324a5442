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
  list(APPEND rocksdb_archives ${archive})
endforeach()
set_target_properties(RocksDB::rocksdb-shared PROPERTIES INTERFACE_LINK_LIBRARIES "${rocksdb_archives}")
foreach(library ZSTD PG_QUERY YAML EDIT)
  string(REGEX REPLACE "\\.so$" ".a" ${library}_LIBRARY "${${library}_LIBRARY}")
endforeach()
foreach(name ${edit_needs})
  prejoin_find_archive(${name} archive)
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
add_compile_options(-ffile-prefix-map=${CMAKE_BINARY_DIR}/=)
add_link_options(LINKER:--gc-sections LINKER:--strip-all)
add_compile_definitions(PREJOIN_STATIC)

# The program. Its relocations are packed; for a library, only the loader of glibc 2.36 understands that.
string(APPEND CMAKE_EXE_LINKER_FLAGS " -static-pie -Wl,-z,pack-relative-relocs")
# The library: glibc is the program's that loads it, all else is inside.
string(APPEND CMAKE_SHARED_LINKER_FLAGS " -static-libstdc++ -static-libgcc")
