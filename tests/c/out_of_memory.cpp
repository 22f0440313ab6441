// Memory that runs out at any allocation of a call: the call fails with an error that says so, or succeeds, and the engine stays whole.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <string_view>

#include "orlop/orlop.h"

namespace {

constexpr long plenty = -1;
thread_local long left = plenty;  // allocations until they fail
thread_local bool has_failed = false;

void* allocate(std::size_t size) {
  if (left == 0) {
    has_failed = true;
    throw std::bad_alloc();
  }
  if (left > 0) --left;
  void* block = std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

// For the forms of new that do not throw; a sanitizer would bring its own.
void* allocate_or_nothing(std::size_t size) noexcept {
  try {
    return allocate(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate_or_nothing(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate_or_nothing(size); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }

namespace {

void check(bool is_so, const char* what, long allocations) {
  if (is_so) return;
  std::fprintf(stderr, "not so, when memory ran out after %ld allocations: %s\n", allocations, what);
  std::exit(1);
}

orlop_text text_of(std::string_view text) { return {text.data(), text.size()}; }

// Calls `call` with ever more allocations, until it no longer meets the end of memory. After each, `is_whole` looks at what is left.
void exhaust(const char* what, const std::function<orlop_error*()>& call, const std::function<bool()>& is_whole) {
  for (long allocations = 0;; ++allocations) {
    has_failed = false;
    left = allocations;
    orlop_error* error = call();
    left = plenty;
    const orlop_code code = orlop_error_code(error);
    orlop_error_free(error);
    check(code == ORLOP_ERROR_NONE || code == ORLOP_ERROR_OUT_OF_MEMORY || code == ORLOP_ERROR_STORAGE_FAILED, what, allocations);
    check(is_whole(), (std::string(what) + " broke the engine").c_str(), allocations);
    if (!has_failed) {
      check(code == ORLOP_ERROR_NONE, what, allocations);
      return;
    }
  }
}

int status_of(orlop_engine* engine, const char* method, const std::string& path, const std::string& body) {
  const orlop_request request = {sizeof request, text_of(method), text_of(path), {nullptr, 0}, nullptr, 0, text_of(body), 0};
  orlop_reply* reply = nullptr;
  orlop_error* error = orlop_dispatch(&reply, engine, &request);
  const int status = error == nullptr ? orlop_reply_status(reply) : 0;
  if (error != nullptr) std::fprintf(stderr, "%s %s: %s\n", method, path.c_str(), orlop_error_message(error));
  orlop_error_free(error);
  orlop_reply_free(reply);
  return status;
}

orlop_options options_of(const std::string& storage) {
  orlop_options options = ORLOP_OPTIONS_INIT;
  options.storage = text_of(storage);
  options.durability = ORLOP_DURABILITY_NORMAL;
  options.simulation = 1;
  return options;
}

void opening(const std::string& storage) {
  const orlop_options options = options_of(storage);
  const auto open = [&] {
    orlop_engine* engine = nullptr;
    orlop_error* error = orlop_open(&engine, &options);
    const long rest = left;
    left = plenty;
    orlop_error_free(orlop_close(engine));
    left = rest;
    return error;
  };
  exhaust("orlop_open", open, [] { return true; });
}

// In a memory with a key: the store is sealed, and a secret goes in.
void sealing() {
  const std::string storage = "memory:";
  const std::string key(32, 'k');
  orlop_options options = options_of(storage);
  options.secret_key = text_of(key);
  orlop_engine* engine = nullptr;
  check(orlop_open(&engine, &options) == nullptr, "orlop_open", plenty);
  check(status_of(engine, "POST", "/organization", R"({"name":"acme","plan":"FREE"})") == 201, "an organization", plenty);
  const orlop_request list = {sizeof list, text_of("GET"), text_of("/organization"), {nullptr, 0}, nullptr, 0, {nullptr, 0}, 0};
  orlop_reply* reply = nullptr;
  check(orlop_dispatch(&reply, engine, &list) == nullptr, "GET", plenty);
  const std::string answer(orlop_reply_body(reply).data, orlop_reply_body(reply).size);
  orlop_reply_free(reply);
  const std::string path = "/organization/" + answer.substr(answer.find("\"id\":\"") + 6, 36) + "/gitToken";
  int number = 0;
  const auto post = [&] {
    const long rest = left;
    left = plenty;
    const std::string body = R"({"type":"GITHUB","token":"secret","name":"t)" + std::to_string(++number) + R"("})";
    left = rest;
    const orlop_request request = {sizeof request, text_of("POST"), text_of(path), {nullptr, 0}, nullptr, 0, text_of(body), 0};
    orlop_reply* made = nullptr;
    orlop_error* error = orlop_dispatch(&made, engine, &request);
    orlop_reply_free(made);
    return error;
  };
  exhaust("POST of a secret", post, [&] { return status_of(engine, "GET", path, "") == 200; });
  check(orlop_close(engine) == nullptr, "orlop_close", plenty);
}

void working(const std::string& storage) {
  const orlop_options options = options_of(storage);
  orlop_engine* engine = nullptr;
  check(orlop_open(&engine, &options) == nullptr, "orlop_open", plenty);
  const auto is_whole = [&] { return status_of(engine, "GET", "/organization", "") == 200; };

  const std::string list = "/organization";
  const orlop_request reading = {sizeof reading, text_of("GET"), text_of(list), {nullptr, 0}, nullptr, 0, {nullptr, 0}, 0};
  int number = 0;
  const auto dispatch = [&](const orlop_request& request) {
    orlop_reply* reply = nullptr;
    orlop_error* error = orlop_dispatch(&reply, engine, &request);
    orlop_reply_free(reply);
    return error;
  };
  exhaust("GET", [&] { return dispatch(reading); }, is_whole);
  const auto post = [&] {
    const long rest = left;
    left = plenty;
    const std::string body = R"({"name":"acme)" + std::to_string(++number) + R"(","plan":"FREE"})";
    left = rest;
    return dispatch({sizeof(orlop_request), text_of("POST"), text_of(list), {nullptr, 0}, nullptr, 0, text_of(body), 0});
  };
  exhaust("POST", post, is_whole);
  const std::string broken = R"({"name":["deep",{"er":[1,2,3]}],"unknown":{"a":"b"}})";
  const orlop_request refused = {sizeof refused, text_of("POST"), text_of(list), {nullptr, 0}, nullptr, 0, text_of(broken), 0};
  exhaust("a refused POST", [&] { return dispatch(refused); }, is_whole);
  const auto events = [&] {
    orlop_buffer* text = nullptr;
    orlop_error* error = orlop_events(&text, engine, 0, 100);
    orlop_buffer_free(text);
    return error;
  };
  exhaust("orlop_events", events, is_whole);
  const auto snapshot = [&] {
    orlop_buffer* text = nullptr;
    orlop_error* error = orlop_snapshot(&text, engine);
    orlop_buffer_free(text);
    return error;
  };
  exhaust("orlop_snapshot", snapshot, is_whole);
  exhaust("orlop_tick", [&] { return orlop_tick(engine, nullptr); }, is_whole);
  check(orlop_close(engine) == nullptr, "orlop_close", plenty);
}

}  // namespace

int main() {
  const std::string file = "sqlite:out_of_memory.db";
  for (const char* ending : {"", "-wal", "-shm"}) std::remove((file.substr(7) + ending).c_str());
  for (const std::string& storage : {std::string("memory:"), file}) {
    opening(storage);
    working(storage);
  }
  sealing();
  return 0;
}
