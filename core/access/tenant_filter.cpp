#include "access/tenant_filter.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "access/permission.h"
#include "store/forwarding_transaction.h"
#include "unit/without_deleted.h"

namespace orlop {
namespace {

class VisibleTransaction final : public ForwardingTransaction {
 public:
  VisibleTransaction(const Caller& caller, std::unique_ptr<Transaction> behind)
      : ForwardingTransaction(std::move(behind)), caller_(caller) {}

  Result<Shared<Record>> record(const Id& id) override {
    ORLOP_TRY(found, behind().record(id));
    if (!found) return Shared<Record>();
    ORLOP_TRY(visible, is_visible(found->organization));
    return visible ? std::move(found) : Shared<Record>();
  }
  // A machine has the id of its record.
  Result<Shared<Machine>> machine(const Id& id) override {
    ORLOP_TRY(found, record(id));
    return found ? behind().machine(id) : Result<Shared<Machine>>(Shared<Machine>());
  }
  Result<Rows> rows(const RowKeys& keys) override { return Transaction::rows(keys); }
  // Records below a record, or that refer to one, belong to its organization. Only roots, and records that refer to the
  // id of an item rather than of a record, belong to several: their organizations are read and checked first, because a
  // visitor must not call the transaction.
  Result<void> records(const RecordRange& range, const RecordVisitor& visit) override {
    if (!range.key.is_nil()) {
      ORLOP_TRY(above, record(range.key));
      if (above) {
        const Id organization = above->organization;
        const bool names_it = range.fields != RecordRange::Fields::place;
        return behind().records(range, [&](const Record& found) {
          return (names_it && found.organization != organization) || visit(found);
        });
      }
      if (range.by == RecordRange::By::parent) return {};
    }
    std::vector<Id> organizations;
    RecordRange wanted = range;
    if (range.fields == RecordRange::Fields::place) wanted.fields = RecordRange::Fields::no_text;
    RecordRange bare = range;
    bare.fields = RecordRange::Fields::no_text;
    ORLOP_CHECK(behind().records(bare, [&](const Record& record) {
      if (organizations.empty() || organizations.back() != record.organization)
        organizations.push_back(record.organization);
      return true;
    }));
    for (const Id& organization : organizations) {
      if (auto known = is_visible(organization); !known) return std::move(known).error();
    }
    return behind().records(wanted, [&](const Record& root) { return !is_known(root.organization) || visit(root); });
  }
  Result<void> machines(const MachineRange& range, const MachineVisitor& visit) override {
    // Machines of the whole store, for the engine's own rules.
    if (range.by == MachineRange::By::active) return behind().machines(range, visit);
    ORLOP_TRY(owner, record(range.owner));
    return owner ? behind().machines(range, visit) : Result<void>();
  }
  // Keys are ids of records that this transaction has returned; counted records are of the key's organization, except
  // for roots.
  Result<std::vector<RecordCount>> counts(const CountRange& range) override {
    if (range.by == RecordRange::By::parent && std::ranges::find(range.keys, Id{}) != range.keys.end())
      return counted(range);
    return behind().counts(range);
  }

 private:
  // Call only after is_visible() of the organization.
  bool is_known(const Id& organization) const {
    if (caller_.kind == Caller::Kind::token) return organization == caller_.organization;
    const auto known = visible_.find(organization);
    return known != visible_.end() && known->second;
  }

  Result<bool> is_visible(const Id& organization) {
    if (caller_.kind == Caller::Kind::token) return organization == caller_.organization;
    if (const auto known = visible_.find(organization); known != visible_.end()) return known->second;
    ORLOP_TRY(member, behind().find(member_key(organization, caller_.id)));
    return visible_.emplace(organization, member.has_value()).first->second;
  }

  const Caller& caller_;
  std::unordered_map<Id, bool> visible_;
};

}  // namespace

Result<std::unique_ptr<Transaction>> for_caller(const Caller& caller, std::unique_ptr<Transaction> transaction) {
  ORLOP_TRY(present, without_deleted(std::move(transaction)));
  if (caller.kind == Caller::Kind::host) return std::move(present);
  return std::unique_ptr<Transaction>(std::make_unique<VisibleTransaction>(caller, std::move(present)));
}

}  // namespace orlop
