// The kinds of store that the suite runs on in this program.
#include "contract/fixture.h"
#include "contract/host_store.h"
#include "sim/seeded_random_source.h"
#include "store/sealing/sealing.h"

namespace orlop::contract {
namespace {

// A store with shared ownership.
class SharedStore : public Store {
 public:
  explicit SharedStore(std::shared_ptr<Store> store) : store_(std::move(store)) {}
  Result<std::unique_ptr<Transaction>> begin(Access access) override { return store_->begin(access); }
  Result<std::unique_ptr<Membership>> join(const Id& engine, std::function<void()> notify) override {
    return store_->join(engine, std::move(notify));
  }

 private:
  std::shared_ptr<Store> store_;
};

}  // namespace

std::vector<Kind> all_kinds() {
  const auto sqlite = [](Durability durability) {
    return [durability](const std::filesystem::path& folder) {
      return open_sqlite_store((folder / "store.db").string(), durability);
    };
  };
  // A sealed store fulfils the same contract.
  const auto sealed = [](auto open) {
    return [open](const std::filesystem::path& folder) -> Result<std::unique_ptr<Store>> {
      static SeededRandomSource random_source(3);
      ORLOP_TRY(plain, open(folder));
      ORLOP_TRY(store, seal_store(std::move(plain), {std::string(32, 'k'), {}}, random_source));
      return std::unique_ptr<Store>(std::make_unique<SharedStore>(std::move(store)));
    };
  };
  const auto memory = [](const std::filesystem::path&) { return open_store("memory:"); };
  return {
      {"memory_sealed", sealed(memory), false},
      {"memory_through_c",
       [](const std::filesystem::path&) -> Result<std::unique_ptr<Store>> { return through_c(open_memory_store()); },
       false},
      {"memory_through_c_without_counts",
       [](const std::filesystem::path&) -> Result<std::unique_ptr<Store>> {
         return through_c(open_memory_store(), false);
       },
       false},
      {"sqlite_through_c",
       [sqlite](const std::filesystem::path& folder) -> Result<std::unique_ptr<Store>> {
         ORLOP_TRY(store, sqlite(Durability::normal)(folder));
         return through_c(std::move(store));
       },
       true, true, false},
      {"sqlite_sealed", sealed(sqlite(Durability::normal)), true, true, false},
      {"memory", memory, false},
      {"sqlite_full", sqlite(Durability::full), true, true, false},
      {"sqlite_normal", sqlite(Durability::normal), true, true, false},
  };
}

}  // namespace orlop::contract
