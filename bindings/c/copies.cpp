// Backup and restore of stores.
#include "store/copies.h"

#include <memory>
#include <string>
#include <utility>

#include "guard.h"
#include "tables.h"

using namespace orlop;
using namespace orlop::c;

extern "C" {

orlop_error* orlop_backup(orlop_text storage, orlop_text file) {
  return guard([&]() -> Result<void> {
    ORLOP_CHECK(check_text(storage, "storage"));
    ORLOP_CHECK(check_text(file, "file"));
    return back_up_store(view_of(storage), view_of(file));
  });
}

orlop_error* orlop_restore(orlop_text storage, orlop_text file, orlop_buffer** before) {
  return guard([&]() -> Result<void> {
    ORLOP_CHECK(check_text(storage, "storage"));
    ORLOP_CHECK(check_text(file, "file"));
    ORLOP_TRY(kept, restore_store(view_of(storage), view_of(file)));
    if (before != nullptr) *before = buffers().add(std::make_shared<std::string>(std::move(kept)));
    return {};
  });
}

}  // extern "C"
