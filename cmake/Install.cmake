# The embeddable library: engine and modelling layer as one static archive, with the C++ and the C interface, its public headers, and
# find_package(Prejoin). For C there is the shared library too (CApi.cmake), and pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The program is called prejoin too, so the target cannot be.
add_library(prejoin_library STATIC)
foreach(layer base value json expr partiql vector storage cells engine transfer wire capi auth client model)
  target_sources(prejoin_library PRIVATE $<TARGET_OBJECTS:pj_${layer}>)
endforeach()
set_target_properties(prejoin_library PROPERTIES OUTPUT_NAME prejoin EXPORT_NAME Prejoin LINKER_LANGUAGE CXX)
target_compile_features(prejoin_library PUBLIC cxx_std_20)
target_include_directories(prejoin_library PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
                                                  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# Public: prejoin/result.h includes it. The others are only linked.
target_link_libraries(
  prejoin_library
  PUBLIC tl::expected
  PRIVATE Threads::Threads RocksDB::rocksdb-shared absl::btree absl::flat_hash_set absl::flat_hash_map absl::strings
          simdjson::simdjson OpenSSL::SSL OpenSSL::Crypto ZLIB::ZLIB ${ZSTD_LIBRARY})
add_library(Prejoin::Prejoin ALIAS prejoin_library)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Prejoin)
install(TARGETS prejoin_library EXPORT PrejoinTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/prejoin DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
install(EXPORT PrejoinTargets NAMESPACE Prejoin:: DESTINATION ${package_dir} COMPONENT library)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/PrejoinConfig.cmake.in ${CMAKE_BINARY_DIR}/PrejoinConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/PrejoinConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/PrejoinConfig.cmake ${CMAKE_BINARY_DIR}/PrejoinConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT library)

install(TARGETS prejoin_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
# Written when it is installed, because only `cmake --install --prefix` knows the prefix.
install(CODE "
  set(CMAKE_INSTALL_LIBDIR ${CMAKE_INSTALL_LIBDIR})
  set(CMAKE_INSTALL_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR})
  set(PROJECT_VERSION ${PROJECT_VERSION})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/prejoin.pc.in
                 \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/prejoin.pc @ONLY)
" COMPONENT library)

if(TARGET prejoin)
  install(TARGETS prejoin RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  # The installed program is stripped; debuggers find its symbols in a file beside it, by the name in .gnu_debuglink.
  set(installed_program "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/prejoin")
  install(CODE "
    execute_process(COMMAND ${CMAKE_OBJCOPY} --only-keep-debug ${installed_program} ${installed_program}.debug COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${CMAKE_OBJCOPY} --strip-all --add-gnu-debuglink=${installed_program}.debug ${installed_program}
                    COMMAND_ERROR_IS_FATAL ANY)
  " COMPONENT program)
  install(FILES ${CMAKE_SOURCE_DIR}/packaging/prejoin.service DESTINATION lib/systemd/system COMPONENT program)
endif()
if(TARGET prejoin_rados)
  install(TARGETS prejoin_rados LIBRARY DESTINATION lib/prejoin COMPONENT program)
endif()
