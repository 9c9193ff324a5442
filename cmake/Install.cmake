# The embeddable library: everything below wire/ as one static archive, its public headers, and find_package(Prejoin).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
