// Durable creates in PostgreSQL from one process, compared with raw libpq that writes the same rows: each of its
// creates is one pipeline, with its COMMIT, in one round trip. The server is started for the run, with its default
// durability.
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "paired.h"
#include "postgresql_sides.h"

namespace {

class Server {
 public:
  Server() {
    if (std::system("python3 -B " ORLOP_BENCH_SERVER " start postgresql-bench.txt --durable") != 0)
      bench::fail("no server");
    std::ifstream file("postgresql-bench.txt");
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("direct=")) connection = line.substr(7);
    }
  }
  ~Server() { (void)!std::system("python3 -B " ORLOP_BENCH_SERVER " stop postgresql-bench.txt"); }
  std::string connection;
};

}  // namespace

int main() {
  const Server server;
  const orlop_store bare_schema = bench::open_store(server.connection, "bare");
  {
    bench::OurCreates ours(bench::open_store(server.connection, "ours"), "acme");
    bench::RawCreates raw(server.connection, "bare", ours.sample());
    constexpr std::uint64_t count = 200;
    std::vector<bench::Figure> figures;
    figures.push_back(
        bench::measure("create", "0.60", {[&] { ours.create(count); }, [&] { raw.create(count); }, {}, count}, 9));
    figures.push_back(bench::measure("create: 16 writers (bare: one of ours)", "4",
                                     {[&] { ours.create_by(16, 25); }, [&] { ours.create(400); }, {}, 400}, 5));
    bench::print("PostgreSQL: durable creates beside raw libpq", figures);
  }
  bare_schema.release(bare_schema.context);
}
