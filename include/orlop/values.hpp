// The values of orlop.hpp: errors and outcomes, ids and instants, requests and replies. Included by orlop.hpp.
#ifndef ORLOP_VALUES_HPP
#define ORLOP_VALUES_HPP

#include "orlop/standard.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "orlop/feed.h"
#include "orlop/orlop.h"

namespace orlop {
// An inline namespace, so that a program may contain this API and the library's internals at once.
inline namespace api {

using Duration = std::chrono::milliseconds;
using Instant = std::chrono::sys_time<Duration>;

inline orlop_text text_of(std::string_view text) noexcept { return {text.data(), text.size()}; }
inline std::string_view view_of(orlop_text text) noexcept { return {text.data == nullptr ? "" : text.data, text.size}; }

// ---- Errors ----
class Error : public std::runtime_error {
 public:
  // Takes ownership of the error.
  explicit Error(orlop_error* error)
      : std::runtime_error(orlop_error_message(error)), code_(orlop_error_code(error)), name_(orlop_error_name(error)) {
    orlop_error_free(error);
  }
  orlop_code code() const noexcept { return code_; }
  std::string_view name() const noexcept { return name_; }

 private:
  orlop_code code_;
  const char* name_;
};

// A value or an Error.
template <typename T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Outcome(Error error) : held_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const noexcept { return ok(); }
  bool ok() const noexcept { return held_.index() == 0; }
  // Throws the Error if there is no value.
  T& value() & { return ok() ? *std::get_if<0>(&held_) : throw error(); }
  T&& value() && { return ok() ? std::move(*std::get_if<0>(&held_)) : throw error(); }
  const Error& error() const { return std::get<1>(held_); }

 private:
  std::variant<T, Error> held_;
};

struct Nothing {};

// ---- Values ----
inline std::string to_text(orlop_id id) {
  char text[37];
  orlop_id_format(id, text);
  return text;
}

inline std::string to_text(Instant at) {
  char text[25];
  orlop_time_format(at.time_since_epoch().count(), text);
  return text;
}

inline Outcome<orlop_id> try_parse_id(std::string_view text) {
  orlop_id id{};
  if (orlop_error* error = orlop_id_parse(&id, text_of(text))) return Error(error);
  return id;
}
inline orlop_id parse_id(std::string_view text) { return try_parse_id(text).value(); }

inline Outcome<Instant> try_parse_instant(std::string_view text) {
  std::int64_t milliseconds = 0;
  if (orlop_error* error = orlop_time_parse(&milliseconds, text_of(text))) return Error(error);
  return Instant(Duration(milliseconds));
}
inline Instant parse_instant(std::string_view text) { return try_parse_instant(text).value(); }

// ---- Requests and replies ----
using Header = std::pair<std::string_view, std::string_view>;

struct Request {
  std::string_view method;
  std::string_view path;
  std::string_view body = {};
  std::string_view query = {};
  std::vector<Header> headers = {};
  bool untrusted = false;                    // from outside; authenticated as the options require
  std::vector<std::string_view> names = {};  // of a create: one resource for each name; returns their ids
};

namespace detail {

// Lists of a request as C structs.
struct RequestLists {
  std::vector<orlop_header> headers;
  std::vector<orlop_text> names;
};

// Returns the request as a C struct that points into `lists`.
inline orlop_request given(const Request& request, RequestLists& lists) {
  lists.headers.reserve(request.headers.size());
  for (const auto& [name, value] : request.headers) lists.headers.push_back({text_of(name), text_of(value)});
  lists.names.reserve(request.names.size());
  for (const std::string_view name : request.names) lists.names.push_back(text_of(name));
  return {sizeof(orlop_request), text_of(request.method), text_of(request.path), text_of(request.query),
          lists.headers.data(),  lists.headers.size(),    text_of(request.body), request.untrusted ? 1 : 0,
          lists.names.data(),    lists.names.size()};
}

}  // namespace detail

class Reply {
 public:
  explicit Reply(orlop_reply* reply) noexcept : reply_(reply) {}

  int status() const noexcept { return orlop_reply_status(reply_.get()); }
  bool ok() const noexcept { return status() >= 200 && status() < 300; }
  std::string_view body() const noexcept { return view_of(orlop_reply_body(reply_.get())); }
  // Returns the value at a JSON Pointer in the body, as orlop_reply_find does; nullopt if there is none.
  std::optional<std::string_view> find(const char* pointer) const noexcept {
    const orlop_text found = orlop_reply_find(reply_.get(), pointer);
    return found.data == nullptr ? std::nullopt : std::optional(view_of(found));
  }
  // "" if there is no such header.
  std::string_view header(std::string_view name) const noexcept {
    return view_of(orlop_reply_header_find(reply_.get(), text_of(name)));
  }
  std::vector<Header> headers() const {
    std::vector<Header> headers(orlop_reply_header_count(reply_.get()));
    for (std::size_t index = 0; index < headers.size(); ++index) {
      const orlop_header header = orlop_reply_header(reply_.get(), index);
      headers[index] = {view_of(header.name), view_of(header.value)};
    }
    return headers;
  }

 private:
  struct Free {
    void operator()(orlop_reply* reply) const noexcept { orlop_reply_free(reply); }
  };
  std::unique_ptr<orlop_reply, Free> reply_;
};

// Text of the library.
class Buffer {
 public:
  explicit Buffer(orlop_buffer* buffer) noexcept : buffer_(buffer) {}
  std::string_view text() const noexcept { return view_of(orlop_buffer_text(buffer_.get())); }

 private:
  struct Free {
    void operator()(orlop_buffer* buffer) const noexcept { orlop_buffer_free(buffer); }
  };
  std::unique_ptr<orlop_buffer, Free> buffer_;
};

// ---- Events ----
using Event = orlop_feed_event;

// A query for events (orlop_event_query). Ids of sixteen zeros and an empty list match any. `timeout` nullopt: no
// limit.
struct EventQuery {
  std::uint64_t since = 0;
  std::uint32_t limit = 1000;
  orlop_id organization = {};
  orlop_id request = {};
  orlop_id subject = {};
  std::vector<std::string_view> kinds = {};
  std::optional<Duration> timeout = Duration(0);
};

// A part of a snapshot to create in a store that is in use (orlop_import_request). A default std::string_view omits an
// optional text; an empty text whose pointer is not null is refused.
struct ImportRequest {
  std::string_view snapshot = {};
  std::string_view family = {};
  std::string_view root = {};
  std::string_view parent = {};
  std::string_view name = {};
  std::string_view secrets_key = {};
};

// A list of events in order: a range.
class Feed {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Event;
    using difference_type = std::ptrdiff_t;
    using pointer = const Event*;
    using reference = const Event&;

    Iterator() = default;
    Iterator(const orlop_feed* feed, std::size_t index) noexcept : feed_(feed), index_(index) {}
    reference operator*() const noexcept { return *orlop_feed_at(feed_, index_); }
    pointer operator->() const noexcept { return orlop_feed_at(feed_, index_); }
    Iterator& operator++() noexcept { return ++index_, *this; }
    Iterator operator++(int) noexcept { return Iterator(feed_, index_++); }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const orlop_feed* feed_ = nullptr;
    std::size_t index_ = 0;
  };

  explicit Feed(orlop_feed* feed) noexcept : feed_(feed) {}
  std::size_t size() const noexcept { return orlop_feed_size(feed_.get()); }
  bool empty() const noexcept { return size() == 0; }
  Iterator begin() const noexcept { return {feed_.get(), 0}; }
  Iterator end() const noexcept { return {feed_.get(), size()}; }
  // `since` of the next query (orlop_feed_next).
  std::uint64_t next() const noexcept { return orlop_feed_next(feed_.get()); }

 private:
  struct Free {
    void operator()(orlop_feed* feed) const noexcept { orlop_feed_free(feed); }
  };
  std::unique_ptr<orlop_feed, Free> feed_;
};

inline std::string_view version() noexcept { return orlop_version(); }

inline Outcome<Buffer> try_describe(std::string_view name) {
  orlop_buffer* document = nullptr;
  if (orlop_error* error = orlop_describe(&document, text_of(name))) return Error(error);
  return Buffer(document);
}
inline Buffer describe(std::string_view name) { return try_describe(name).value(); }

// Maps the configuration of a step to requests of a container engine; see orlop_container_plan.
inline Outcome<Buffer> try_container_plan(std::string_view configuration, std::string_view options = {}) {
  orlop_buffer* plan = nullptr;
  if (orlop_error* error = orlop_container_plan(&plan, text_of(configuration), text_of(options))) return Error(error);
  return Buffer(plan);
}
inline Buffer container_plan(std::string_view configuration, std::string_view options = {}) {
  return try_container_plan(configuration, options).value();
}

}  // namespace api
}  // namespace orlop

#endif
