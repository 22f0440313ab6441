// What services become on a container engine.
#include "orlop/workloads.h"

#include <memory>
#include <string>

#include "guard.h"
#include "tables.h"
#include "workloads/container_plan.h"

using namespace orlop;
using namespace orlop::c;

extern "C" orlop_error* orlop_container_plan(orlop_buffer** plan, orlop_text configuration, orlop_text options) {
  return guard([&]() -> Result<void> {
    if (plan == nullptr) return misuse("the out parameter for the plan must not be NULL");
    ORLOP_CHECK(check_text(configuration, "configuration"));
    ORLOP_CHECK(check_text(options, "options"));
    ORLOP_TRY(text, container_plan(view_of(configuration), view_of(options)));
    *plan = buffers().add(std::make_shared<std::string>(std::move(text)));
    return {};
  });
}
