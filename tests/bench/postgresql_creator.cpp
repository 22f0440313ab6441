// One of several processes that create at once; several_bench.py runs them. Prints "ready", then for each line "COUNT"
// of its input the seconds that COUNT creates took.
//
// usage: postgresql_creator ours|bare CONNECTION SCHEMA WRITER
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include "postgresql_sides.h"

namespace {

template <typename Side>
void serve(Side& side) {
  std::puts("ready");
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    const auto start = std::chrono::steady_clock::now();
    side.create(std::stoull(line));
    std::printf("%.6f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) bench::fail("usage: postgresql_creator ours|bare CONNECTION SCHEMA WRITER");
  const std::string kind = arguments[1];
  const std::string connection = arguments[2];
  const std::string schema = arguments[3];
  const std::string writer = arguments[4];
  if (kind == "ours") {
    bench::OurCreates side(bench::open_store(connection, schema), "acme " + writer);
    serve(side);
  } else if (kind == "bare") {
    const orlop_store tables = bench::open_store(connection, schema);
    tables.release(tables.context);
    bench::RawCreates side(connection, schema, std::string(600, 'x'), static_cast<unsigned>(std::stoul(writer)));
    serve(side);
  } else {
    bench::fail("the side is ours or bare, not " + kind);
  }
}
