// Documents about the platform itself.
#include "describe/document.h"

#include <memory>
#include <string>

#include "guard.h"
#include "tables.h"

using namespace orlop;
using namespace orlop::c;

extern "C" orlop_error* orlop_describe(orlop_buffer** document, orlop_text name) {
  return guard([&]() -> Result<void> {
    if (document == nullptr) return misuse("the out parameter for the document must not be NULL");
    ORLOP_CHECK(check_text(name, "name"));
    ORLOP_TRY(text, describe(view_of(name)));
    *document = buffers().add(std::make_shared<std::string>(std::move(text)));
    return {};
  });
}
