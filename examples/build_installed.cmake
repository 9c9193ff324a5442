# Installs the library of BUILD into a fresh prefix, then configures, builds and runs EXAMPLE with nothing but that prefix.
set(work ${BUILD}/installed_example)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix --component library)
run(${CMAKE_COMMAND} -S ${EXAMPLE} -B ${work}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build ${work}/build)
set(PROGRAM ${work}/build/${PROGRAM_NAME})
set(EXPECTED ${EXAMPLE}/expected.txt)
include(${CMAKE_CURRENT_LIST_DIR}/compare_output.cmake)
