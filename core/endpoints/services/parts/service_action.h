// Actions on one service, answered with its status: shared by the operations that deploy, restart, stop and uninstall
// it.
#pragma once

#include <span>
#include <string_view>

#include "deploy/request/deployment_request.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/status_shapes.h"

namespace orlop {

// Makes an order for this service alone.
Order order_for(const Call& call, const Record& service, Action action);

// Queues the order. The answer is the status of its first service.
Result<Answer> place_and_answer(Unit& unit, const Order& order);

// Queues the action for the service in the path.
Result<Answer> ask_service(Unit& unit, const Call& call, Action action);

constexpr Operation service_action(std::string_view path, std::string_view name, Handler handle, const Shape* body,
                                   std::span<const Field> query, std::string_view summary, std::string_view about) {
  return {.method = Method::post,
          .path = path,
          .name = name,
          .status = 202,
          .access = Access::write,
          .handle = handle,
          .body = body,
          .query = query,
          .form = AnswerForm::shape,
          .answer = &operation_shapes::status,
          .summary = summary,
          .about = about,
          .need = Level::operate};
}

}  // namespace orlop
