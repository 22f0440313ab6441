// The queries of the contract. Ranges are read in pages, so that a visitor that stops early costs no more than one.
#pragma once

#include "orlop/storage.h"
#include "status.h"
#include "transaction.h"

namespace orlop::postgresql {

Status read_record(Transaction& transaction, const orlop_id& id, orlop_record_visitor visit, void* visitor);
Status read_machine(Transaction& transaction, const orlop_id& id, orlop_machine_visitor visit, void* visitor);
Status find_name(Transaction& transaction, orlop_text name_key, orlop_id& id);
Status read_links(Transaction& transaction, const orlop_id& id, orlop_links_visitor visit, void* visitor);
Status read_records(Transaction& transaction, const orlop_range& range, orlop_record_visitor visit, void* visitor);
Status read_machines(Transaction& transaction, const orlop_range& range, orlop_machine_visitor visit, void* visitor);
Status read_events(Transaction& transaction, const orlop_event_range& range, orlop_event_visitor visit, void* visitor);
Status read_counts(Transaction& transaction, const orlop_count_range& range, orlop_count_visitor visit, void* visitor);

}  // namespace orlop::postgresql
