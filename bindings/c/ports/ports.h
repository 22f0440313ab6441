// The host's ports as the core's interfaces: class HostLog, HostWebhookSender and so on, which follow from the files in
// core/base/options/ports/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/port.h"
#include "guard.h"
#include "orlop/ports.h"
#include "ports/callbacks.h"

namespace orlop::c {

// Writes into the host's log that a port failed, and gives the result on.
Result<void> logged(Instance* host, std::string_view port, Result<void> accepted);

// A record as the struct that the host is given, while both live.
#define ORLOP_OPTION(...)
#define ORLOP_CHOICE(...)
#define ORLOP_PORT(...)
#define ORLOP_GIVE_text(name) given_.name = text_of(record.name);
#define ORLOP_GIVE_bytes(name) given_.name = text_of(record.name);
#define ORLOP_GIVE_id(name) given_.name = id_of(record.name);
#define ORLOP_GIVE_count(name) given_.name = record.name;
#define ORLOP_GIVE_instant(name) given_.name##_ms = record.name.milliseconds;
#define ORLOP_GIVE_headers(name)                                                                   \
  for (const auto& [key, value] : record.name) headers_.push_back({text_of(key), text_of(value)}); \
  given_.name = headers_.data();                                                                   \
  given_.header_count = headers_.size();
#define ORLOP_FIELD(kind, name, text) ORLOP_GIVE_##kind(name)
#define ORLOP_PORT_RECORD(name, Type, text, fields)         \
  class Given##Type {                                       \
   public:                                                  \
    Given##Type(const Type& record, orlop_engine* engine) { \
      given_.size = sizeof given_;                          \
      given_.engine = engine;                               \
      fields                                                \
    }                                                       \
    const orlop_##name* get() const { return &given_; }     \
                                                            \
   private:                                                 \
    orlop_##name given_{};                                  \
    std::vector<orlop_header> headers_;                     \
  };
#include "base/options/options.def"

// A port. Texts may be views into something longer; the host is given a zero at the end of each.
#define ORLOP_OPTION(...)
#define ORLOP_CHOICE(...)
#define ORLOP_CUSTOM_PORT(...)
#define ORLOP_ARGUMENT_text(name) text_of(std::string(name))
#define ORLOP_ARGUMENT_bytes(name) text_of(std::string(name))
#define ORLOP_ARGUMENT_id(name) id_of(name)
#define ORLOP_ARGUMENT_count(name) name
#define ORLOP_ARGUMENT_instant(name) name.milliseconds
#define ORLOP_ARGUMENT_enumeration(name, Type) static_cast<std::int32_t>(name)
#define ORLOP_ARGUMENT_record(name, Type) Given##Type(name, engine_).get()
#define ORLOP_ARGUMENT(kind, name, ...) ORLOP_ARGUMENT_##kind(name __VA_OPT__(, ) __VA_ARGS__)
#define ORLOP_CALL_refusal(function, ...) \
  return logged(host_, port_name_, accept(Callback::port, port_name_, function __VA_OPT__(, ) __VA_ARGS__));
// The arguments may need memory.
#define ORLOP_CALL_nothing(function, ...)                            \
  guard_or(0, [&] {                                                  \
    inform(Callback::listener, function __VA_OPT__(, ) __VA_ARGS__); \
    return 0;                                                        \
  });
#define ORLOP_FUNCTION(gives, name, text, ...)                                             \
  port_result::gives name(ORLOP_EACH(ORLOP_PARAMETER, __VA_ARGS__)) override {             \
    ORLOP_CALL_##gives(given_.name __VA_OPT__(, ) ORLOP_EACH(ORLOP_ARGUMENT, __VA_ARGS__)) \
  }
#define ORLOP_RELEASE()
#define ORLOP_PORT(group, name, Type, required, apis, text, about, members) \
  class Host##Type final : public Type, public HostPort<orlop_##name> {     \
   public:                                                                  \
    using HostPort::HostPort;                                               \
    members                                                                 \
                                                                            \
        private : static constexpr std::string_view port_name_ = #name;     \
  };
#include "base/options/options.def"

}  // namespace orlop::c
