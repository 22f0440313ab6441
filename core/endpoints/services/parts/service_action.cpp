#include "endpoints/services/parts/service_action.h"

#include <string>
#include <utility>

#include "endpoints/services/parts/resource_and_machine.h"
#include "endpoints/services/parts/service_status.h"

namespace orlop {

Order order_for(const Call& call, const Record& service, Action action) {
  Order order;
  order.environment = service.parent;
  order.action = action;
  order.services.push_back(service.id);
  order.author = std::string(call.author);
  return order;
}

Result<Answer> place_and_answer(Unit& unit, const Order& order) {
  ORLOP_TRY(request, enqueue(unit, order));
  ORLOP_TRY(text, service_status_after(unit, order.services.front(), request));
  return Answer{202, std::move(text)};
}

Result<Answer> ask_service(Unit& unit, const Call& call, Action action) {
  ORLOP_TRY(subject, subject_of(unit, call));
  return place_and_answer(unit, order_for(call, subject.record, action));
}

}  // namespace orlop
