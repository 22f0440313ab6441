option(ORLOP_LTO "Optimize over all files when linking: the Python module becomes an eighth smaller" OFF)
if(ORLOP_LTO)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT has_lto OUTPUT lto_messages)
  if(NOT has_lto)
    message(FATAL_ERROR "ORLOP_LTO is ON, and the compiler cannot optimize when linking: ${lto_messages}")
  endif()
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()

# What has more than 32 bytes is copied by the C library, and cleared sixteen bytes at a time. GCC's own choice, `rep movs` and `rep stos`, takes longer to begin than 200 bytes take
# so. Files that are compiled for size keep it.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(strategies -mmemcpy-strategy=loop:32:noalign,libcall:-1:noalign -mmemset-strategy=loop:32:noalign,vector_loop:512:noalign,libcall:-1:noalign)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${strategies}>")
  add_link_options(${strategies})
endif()

# What is compiled for speed, and what for size. A release build compiles the folders and files of `fast_sources` with -O3, or with -O2 if all files are optimized
# when linking, which is as fast: they carry the cost of requests, ticks, plans and rows. It compiles everything else with -Os, which makes less than
# half the bytes.
set(fast_sources
  bindings/c/engine_calls.cpp bindings/c/engine_reference.cpp
  bindings/c/request_of.cpp bindings/c/requests.cpp bindings/c/values.cpp
  bindings/python/arguments.cpp bindings/python/lazy_bytes.cpp bindings/python/request_pool.cpp
  core/base/id.cpp core/base/instant.cpp core/base/text/utf8.cpp
  core/deploy/driver/scripted_driver.cpp
  core/deploy/plan/plan.cpp core/deploy/request/queuing.cpp core/deploy/request/request_history.cpp core/deploy/request/request_parts.cpp core/deploy/request/request_record.cpp core/deploy/run/deadlines.cpp
  core/deploy/run/detail.cpp core/deploy/run/environments/environment_runs.cpp core/deploy/run/steps/in_flight.cpp core/deploy/run/steps/known_steps.cpp core/deploy/run/steps/step_deadlines.cpp
  core/deploy/run/run.cpp core/deploy/run/runner.cpp core/deploy/run/steps/service_report.cpp core/deploy/run/state_transition.cpp
  core/deploy/run/subject.cpp core/deploy/run/tick.cpp core/deploy/run/tick_ahead.cpp core/engine/tick.cpp core/lifecycle
  core/model/members.cpp core/model/registry.cpp core/model/validate.cpp core/model/value.cpp
  core/operations/services/create.cpp core/ops/commit core/ops/create.cpp core/ops/name.cpp core/ops/path.cpp core/ops/read.cpp
  core/ops/record_pattern.cpp core/ops/render.cpp core/ops/representation.cpp core/ops/tree/deletions.cpp core/ops/tree/without_deleted.cpp
  core/ops/unit/context_values.cpp core/ops/unit/unit.cpp core/ops/unit/unit_context.cpp core/rest/body.cpp
  core/rest/dispatch.cpp core/rest/request.cpp
  core/sim/rules/ordered_rules.cpp core/sim/rules/rule_set.cpp core/sim/simulator_time.cpp
  core/store/body_pattern.cpp core/store/event_block.cpp core/store/event_detail.cpp core/store/event_log.cpp core/store/memory.cpp core/store/memory_table.cpp core/store/store.cpp core/store/stored_record.cpp
  core/store/sqlite/rows/rows.cpp core/wire/member.cpp core/wire/read_plain.cpp core/wire/writer.cpp)

foreach(place IN LISTS fast_sources)
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${place})
    message(FATAL_ERROR "fast_sources of cmake/optimization.cmake must name files and folders of the project; ${place} is none")
  endif()
endforeach()

# Applies this to the files of a target of this folder, and compiles them together (unity.cmake). The fast ones come first: of a template that several
# files instantiate, the linker keeps the first copy.
function(orlop_optimize target)
  get_target_property(sources ${target} SOURCES)
  set(fast "")
  set(small "")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE file)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
    set(is_fast FALSE)
    foreach(place IN LISTS fast_sources)
      cmake_path(IS_PREFIX place ${name} is_fast)
      if(is_fast)
        break()
      endif()
    endforeach()
    if(is_fast)
      list(APPEND fast ${source})
    else()
      list(APPEND small ${source})
    endif()
  endforeach()
  orlop_unite(fast ${target}/fast ${fast})
  orlop_unite(small ${target}/small ${small})
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    set_property(SOURCE ${small} APPEND PROPERTY COMPILE_OPTIONS -Os)
    if(ORLOP_LTO)
      set_property(SOURCE ${fast} APPEND PROPERTY COMPILE_OPTIONS -O2)
    endif()
  endif()
  set_property(TARGET ${target} PROPERTY SOURCES ${fast} ${small})
endfunction()
