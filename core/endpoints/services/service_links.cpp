#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/link_addresses.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::services::service_links {
namespace {

Result<Answer> list_links(Unit& unit, const Call& call) {
  ORLOP_TRY(service, require(unit, *call.family, call.ids.front()));
  Writer out;
  out.begin_object().key("results").begin_list();
  ORLOP_CHECK(write_links(unit, service, out));
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Operation operations[] = {
    {.path = "{flat}/link",
     .name = "list_{family}_links",
     .handle = list_links,
     .form = AnswerForm::shape_list,
     .answer = &link_shape,
     .summary = "List the links of {one}",
     .about = "Links of the public ports; those of the default port also under the custom domains."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("application", "container", "helm"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::services::service_links
