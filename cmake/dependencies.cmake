# What the library stands on.
find_package(nlohmann_json REQUIRED)
find_package(SQLiteCpp REQUIRED)
find_package(Boost REQUIRED)
find_package(Threads REQUIRED)
if(ORLOP_BUILD_TESTS)
  find_package(GTest REQUIRED)
  enable_testing()
endif()
