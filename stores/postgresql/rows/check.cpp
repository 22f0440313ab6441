#include "rows/check.h"

#include <array>
#include <string_view>

namespace orlop::postgresql {
namespace {

// The statement returns the faulty rows: the id of each, or its number, as text.
struct TableCheck {
  Statement statement;
  std::string_view type;
  std::string_view fault;
  std::string_view advice;
};

constexpr std::string_view backup = "Put back a backup: orlop restore, or the tools of the server.";
constexpr std::string_view rebuild =
    "Import a snapshot into a new store, which makes it anew: orlop snapshot, orlop import.";

constexpr std::array table_checks = {
    TableCheck{Statement::records_without_parent, "record", "lies below a resource that is gone", backup},
    TableCheck{Statement::records_without_organization, "record", "is of an organization that is gone", backup},
    TableCheck{Statement::machines_without_record, "machine", "has a state, and its record is gone", rebuild},
    TableCheck{Statement::references_without_source, "record", "is gone, and refers to another", rebuild},
    TableCheck{Statement::keys_without_events, "event", "is gone, and is found by what it was about", backup},
    TableCheck{Statement::counts_without_children, "count", "is kept of records that are gone", rebuild},
    TableCheck{Statement::counts_without_referrers, "count", "is kept of references that are gone", rebuild},
    TableCheck{Statement::wrong_leases, "lease", "is of no partition, or of no epoch", rebuild},
    TableCheck{Statement::wrong_wake_ups, "wake-up", "is of no partition", rebuild},
    TableCheck{Statement::wrong_reports, "report", "is of no partition", rebuild},
};

}  // namespace

Status check_tables(Transaction& transaction, orlop_store_fault_visitor visit, void* visitor) {
  for (const TableCheck& check : table_checks) {
    Rows rows;
    ORLOP_PG_CHECK(transaction.query(check.statement, {}, rows));
    for (int row = 0; row < rows.count(); ++row) {
      const orlop_store_fault fault{sizeof fault, text_of(check.type), text_of(rows.bytes(row, 0)),
                                    text_of(check.fault), text_of(check.advice)};
      if (visit(visitor, &fault) == 0) return {};
    }
  }
  return {};
}

}  // namespace orlop::postgresql
