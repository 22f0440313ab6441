#include "request_of.h"

#include <cstddef>

#include "guard.h"
#include "versioned.h"

namespace orlop::c {
namespace {

constexpr std::size_t header_count_max = 1000;

Result<void> check_texts(const orlop_request& request) {
  ORLOP_CHECK(check_text(request.method, "request.method"));
  ORLOP_CHECK(check_text(request.path, "request.path"));
  ORLOP_CHECK(check_text(request.query, "request.query"));
  ORLOP_CHECK(check_text(request.body, "request.body"));
  if (request.header_count > header_count_max) {
    return misuse("request.header_count is " + std::to_string(request.header_count) + ", more than " +
                  std::to_string(header_count_max));
  }
  if (request.headers == nullptr && request.header_count != 0)
    return misuse("request.headers is NULL but header_count is not 0");
  for (std::size_t index = 0; index < request.header_count; ++index) {
    ORLOP_CHECK(check_text(request.headers[index].name, "a header's name"));
    ORLOP_CHECK(check_text(request.headers[index].value, "a header's value"));
  }
  if (request.names == nullptr && request.name_count != 0)
    return misuse("request.names is NULL but name_count is not 0");
  for (std::size_t index = 0; index < request.name_count; ++index)
    ORLOP_CHECK(check_text(request.names[index], "a name"));
  return {};
}

}  // namespace

Request request_of(const orlop_request& given, std::string& joined) {
  Request request;
  request.method = view_of(given.method);
  request.path = view_of(given.path);
  request.body = view_of(given.body);
  request.trust = given.untrusted == 0 ? Trust::host : Trust::outside;
  if (given.query.size != 0) {
    joined.reserve(given.path.size + 1 + given.query.size);
    joined.append(request.path)
        .append(1, request.path.find('?') == std::string_view::npos ? '?' : '&')
        .append(view_of(given.query));
    request.path = joined;
  }
  request.headers.reserve(given.header_count);
  for (std::size_t index = 0; index < given.header_count; ++index) {
    request.headers.emplace_back(view_of(given.headers[index].name), view_of(given.headers[index].value));
  }
  request.names.reserve(given.name_count);
  for (std::size_t index = 0; index < given.name_count; ++index) request.names.push_back(view_of(given.names[index]));
  return request;
}

Result<orlop_request> read_request(const orlop_request* request) {
  ORLOP_TRY(given, read_versioned(request, orlop_request{}, offsetof(orlop_request, query), "the request"));
  ORLOP_CHECK(check_texts(given));
  return given;
}

}  // namespace orlop::c
