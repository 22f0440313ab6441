// A model of a store in plain maps, and random changes for both.
#pragma once

#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "contract/fixture.h"

namespace orlop::contract {

struct Model {
  struct Entry {
    Record record;
    std::string name_key;
    std::set<Id> references;
  };
  std::map<Id, Entry> records;
  std::map<Id, Machine> machines;
  std::vector<Event> events;      // all events so far
  std::uint64_t first_event = 1;  // first kept event

  // Applies the changes as store.h specifies; returns the error code, or nullopt if applied. After an error the model
  // is unusable, like the transaction.
  std::optional<ErrorCode> apply(const Changes& changes);

 private:
  std::optional<ErrorCode> put(const RecordWrite& write);
  std::optional<ErrorCode> put(const Machine& machine, bool is_restore);
};

// Uses so few ids and names that the changes often collide.
class RandomChanges {
 public:
  explicit RandomChanges(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  // Returns changes that `model` mostly accepts; some must be refused.
  Changes next(const Model& model);

 private:
  Changes replacement(const Model& model);
  RecordWrite record(const Model& model);
  Machine machine(const Model& model);
  std::string text(std::size_t size_max);

  std::mt19937_64 random_;
};

// Describes a difference between the contents of `transaction` and `model`; "" if they agree.
std::string difference(Transaction& transaction, const Model& model);

}  // namespace orlop::contract
