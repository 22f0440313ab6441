#include "ops/access/tenant_filter.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "ops/access/permission.h"
#include "ops/tree/without_deleted.h"

namespace orlop {
namespace {

class VisibleTransaction final : public Transaction {
 public:
  VisibleTransaction(const Caller& caller, std::unique_ptr<Transaction> behind) : caller_(caller), behind_(std::move(behind)) {}

  Result<std::optional<Record>> record(const Id& id) override {
    ORLOP_TRY(found, behind_->record(id));
    if (!found) return std::optional<Record>();
    ORLOP_TRY(visible, is_visible(found->organization));
    return visible ? std::move(found) : std::optional<Record>();
  }
  // A machine lies under its record's id.
  Result<std::optional<Machine>> machine(const Id& id) override {
    ORLOP_TRY(found, record(id));
    return found ? behind_->machine(id) : Result<std::optional<Machine>>(std::nullopt);
  }
  Result<std::optional<Id>> find(std::string_view name_key) override { return behind_->find(name_key); }
  Result<std::optional<Id>> find_unlikely(std::string_view name_key) override { return behind_->find_unlikely(name_key); }
  // What lies below a record, or refers to it, is of its organization; only the roots are of many, and what refers to an id that is no record's, such as that of an item.
  // A visitor must not ask the transaction, so that what decides is read first.
  Result<void> records(const RecordRange& range, const RecordVisitor& visit) override {
    if (!range.key.is_nil()) {
      ORLOP_TRY(above, record(range.key));
      if (above) {
        const Id organization = above->organization;
        const bool names_it = range.fields != RecordRange::Fields::place;
        return behind_->records(range, [&](const Record& found) { return (names_it && found.organization != organization) || visit(found); });
      }
      if (range.by == RecordRange::By::parent) return {};
    }
    std::vector<Id> organizations;
    RecordRange wanted = range;
    if (range.fields == RecordRange::Fields::place) wanted.fields = RecordRange::Fields::no_text;
    RecordRange bare = range;
    bare.fields = RecordRange::Fields::no_text;
    ORLOP_CHECK(behind_->records(bare, [&](const Record& record) {
      if (organizations.empty() || organizations.back() != record.organization) organizations.push_back(record.organization);
      return true;
    }));
    for (const Id& organization : organizations) {
      if (auto known = is_visible(organization); !known) return std::move(known).error();
    }
    return behind_->records(wanted, [&](const Record& root) { return !is_known(root.organization) || visit(root); });
  }
  Result<void> machines(const MachineRange& range, const MachineVisitor& visit) override {
    if (range.by == MachineRange::By::active) return behind_->machines(range, visit);  // of the whole store, for the engine's own rules
    ORLOP_TRY(owner, record(range.owner));
    return owner ? behind_->machines(range, visit) : Result<void>();
  }
  bool reads_in_batches() const override { return behind_->reads_in_batches(); }
  // Keys are the ids of records that this transaction has shown, and what counts for a record is of its organization; the roots are of many.
  Result<std::vector<RecordCount>> counts(const CountRange& range) override {
    if (range.by == RecordRange::By::parent && std::ranges::find(range.keys, Id{}) != range.keys.end()) return counted(range);
    return behind_->counts(range);
  }
  Result<FeedEnd> feed_end() override { return behind_->feed_end(); }
  Result<void> validate() override { return behind_->validate(); }
  std::optional<std::uint64_t> last_number() const override { return behind_->last_number(); }
  Coordination* coordination() override { return behind_->coordination(); }
  Result<void> events(const EventRange& range, const EventVisitor& visit) override { return behind_->events(range, visit); }
  Result<RecordLinks> links(const Id& id) override { return behind_->links(id); }
  Result<void> apply(const Changes& changes) override { return behind_->apply(changes); }
  Result<void> commit() override { return behind_->commit(); }
  Result<void> apply_and_commit(Changes&& changes) override { return behind_->apply_and_commit(std::move(changes)); }

 private:
  // After is_visible() has said so.
  bool is_known(const Id& organization) const {
    if (caller_.kind == Caller::Kind::token) return organization == caller_.organization;
    const auto known = visible_.find(organization);
    return known != visible_.end() && known->second;
  }

  Result<bool> is_visible(const Id& organization) {
    if (caller_.kind == Caller::Kind::token) return organization == caller_.organization;
    if (const auto known = visible_.find(organization); known != visible_.end()) return known->second;
    ORLOP_TRY(member, behind_->find(member_key(organization, caller_.id)));
    return visible_.emplace(organization, member.has_value()).first->second;
  }

  const Caller& caller_;
  std::unique_ptr<Transaction> behind_;
  std::unordered_map<Id, bool> visible_;
};

}  // namespace

Result<std::unique_ptr<Transaction>> for_caller(const Caller& caller, std::unique_ptr<Transaction> transaction) {
  ORLOP_TRY(present, without_deleted(std::move(transaction)));
  if (caller.kind == Caller::Kind::host) return std::move(present);
  return std::unique_ptr<Transaction>(std::make_unique<VisibleTransaction>(caller, std::move(present)));
}

}  // namespace orlop
