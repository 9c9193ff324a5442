# Toolchain of the preset `dist-arm64`: Debian's cross compiler, and the libraries for arm64 that scripts/setup arm64 unpacks into build/sources/arm64.
# They are not installed, because those for arm64 and for this machine cannot be installed beside each other.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

set(arm64_root ${CMAKE_CURRENT_LIST_DIR}/../build/sources/arm64)
cmake_path(NORMAL_PATH arm64_root)
set(CMAKE_FIND_ROOT_PATH ${arm64_root})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES ${arm64_root}/usr/include/aarch64-linux-gnu ${arm64_root}/usr/include)

# Toolchain.cmake looks for them; the cross compiler cannot find either under these names. mold has a folder with a link `ld` for such compilers.
# GNU ld cannot pack relocations for arm64.
set(MOLD "" CACHE FILEPATH "")
set(LLD "" CACHE FILEPATH "")
set(CMAKE_EXE_LINKER_FLAGS_INIT -B/usr/libexec/mold)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -B/usr/libexec/mold)
