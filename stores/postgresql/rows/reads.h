// Reads of the store contract. Ranges are read in pages, so that a visitor that stops early causes at most one page.
#pragma once

#include <cstddef>

#include "orlop/storage.h"
#include "server/status.h"
#include "transaction.h"

namespace orlop::postgresql {

Status read_record(Transaction& transaction, const orlop_id& id, orlop_record_visitor visit, void* visitor);
Status read_machine(Transaction& transaction, const orlop_id& id, orlop_machine_visitor visit, void* visitor);
Status find_name(Transaction& transaction, orlop_text name_key, orlop_id& id);
// Like find_name(), but an optimistic writer assumes that no record has the name.
Status find_unlikely_name(Transaction& transaction, orlop_text name_key, orlop_id& id);
Status read_links(Transaction& transaction, const orlop_id& id, orlop_links_visitor visit, void* visitor);
Status read_records(Transaction& transaction, const orlop_range& range, orlop_record_visitor visit, void* visitor);
Status read_machines(Transaction& transaction, const orlop_range& range, orlop_machine_visitor visit, void* visitor);
Status read_events(Transaction& transaction, const orlop_event_range& range, orlop_event_visitor visit, void* visitor);
Status read_records_by_ids(Transaction& transaction, const orlop_id* ids, std::size_t count, orlop_record_visitor visit,
                           void* visitor);
Status read_machines_by_ids(Transaction& transaction, const orlop_id* ids, std::size_t count,
                            orlop_machine_visitor visit, void* visitor);
Status read_records_below(Transaction& transaction, const orlop_id* parents, std::size_t count,
                          orlop_record_visitor visit, void* visitor);
Status read_counts(Transaction& transaction, const orlop_count_range& range, orlop_count_visitor visit, void* visitor);

}  // namespace orlop::postgresql
