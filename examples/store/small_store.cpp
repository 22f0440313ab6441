// A store of a host in one file: a map of bytes; each write makes a new map. key_value.hpp implements the rest of
// storage.h on it.
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "orlop/key_value.hpp"

using Map = std::map<std::string, std::string, std::less<>>;

class Pairs : public orlop::KeyValues {
 public:
  explicit Pairs(std::shared_ptr<const Map> map) : map_(std::move(map)) {}
  std::optional<std::string> get(std::string_view key) const override {
    const auto found = map_->find(key);
    return found == map_->end() ? std::nullopt : std::optional(found->second);
  }
  void scan(std::string_view from, const Visitor& visit) const override {
    for (auto at = map_->lower_bound(from); at != map_->end() && visit(at->first, at->second); ++at) {}
  }

 private:
  std::shared_ptr<const Map> map_;
};

class SmallStore : public orlop::KeyValueStore {
 public:
  std::shared_ptr<const orlop::KeyValues> snapshot() override {
    const std::lock_guard lock(mutex_);
    return std::make_shared<Pairs>(current_);
  }
  void write(const orlop::KeyValueChanges& changes) override {
    auto next = std::make_shared<Map>(*current_);
    for (const auto& [key, value] : changes) {
#ifdef PLANTED_REMAINS
      if (!value) continue;  // an erased key stays erased
#endif
      if (value) (*next)[key] = *value;
      else next->erase(key);
    }
    const std::lock_guard lock(mutex_);
    current_ = std::move(next);
  }

 private:
  std::mutex mutex_;  // guards `current_`
  std::shared_ptr<const Map> current_ = std::make_shared<Map>();
};

static orlop_error* open(orlop_store* out, orlop_text, orlop_error_maker make_error) {
  *out = orlop::key_value_store(std::make_shared<SmallStore>(), make_error);
  return nullptr;
}
extern "C" ORLOP_API const orlop_storage_library* orlop_storage_entry(void) {
  static const char* const schemes[] = {"small", nullptr};
  static const orlop_storage_library library = {sizeof library, schemes, open};
  return &library;
}
