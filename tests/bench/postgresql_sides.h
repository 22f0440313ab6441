// The two sides of a durable create in PostgreSQL: the engine, and raw libpq that writes the same rows.
#pragma once

#include <libpq-fe.h>

#include <cstdint>
#include <string>
#include <vector>

#include "orlop/host.hpp"
#include "orlop/orlop.hpp"
#include "orlop/storage.h"

namespace bench {

[[noreturn]] void fail(const std::string& what);

// Opens a store in this schema. Ends the program if that fails.
orlop_store open_store(const std::string& connection, const std::string& schema);

class OurCreates {
 public:
  // `name`: name of the organization.
  OurCreates(const orlop_store& store, const std::string& name);
  void create(std::uint64_t count);
  // Creates `each` repositories from each of `writers` threads.
  void create_by(std::uint64_t writers, std::uint64_t each);
  // Public answer of the last create.
  const std::string& sample() const { return sample_; }

 private:
  std::string request(const std::string& path, const std::string& body);

  orlop_store store_;
  orlop::Engine engine_;
  std::string collection_;
  std::string sample_;
  std::uint64_t made_ = 0;
};

// Writes the same rows into the tables of a schema that the store has created. Each create is one pipeline with its
// COMMIT: one round trip.
class RawCreates {
 public:
  // `writer` distinguishes the rows of several processes; up to 255.
  RawCreates(const std::string& connection, const std::string& schema, std::string body, unsigned writer = 0);
  ~RawCreates() { PQfinish(link_); }
  RawCreates(const RawCreates&) = delete;
  RawCreates& operator=(const RawCreates&) = delete;
  void create(std::uint64_t count);

 private:
  void prepare(const std::string& name, const std::string& text);
  void send(const char* name, const std::vector<std::string>& values);
  void create_one();

  PGconn* link_;
  std::string body_;
  std::string parent_;
  std::uint64_t made_ = 0;
};

}  // namespace bench
