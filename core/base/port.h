// Ports: interfaces that the engine calls and the host implements, next to the driver. The reference describes what the
// engine does without one. Calls come on the thread that called the engine, and must not call the engine. Functions
// that return an answer or an acceptance are called with no lock held. The classes of the ports in
// core/base/options/ports/ are generated from those files; ports whose class differs from the host's API are declared
// here and in base/source.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "base/result.h"

namespace orlop {

// Answers questions that only external systems can answer (external_systems/question.h).
class ExternalSystems {
 public:
  virtual ~ExternalSystems() = default;
  // `input` and the answer are JSON texts. Blocks until the answer is there; called from several threads at once.
  // Errors: unanswered (the systems do not answer this question), external_failed, external_timeout.
  virtual Result<std::string> ask(std::string_view question, std::string_view input) = 0;
  // Reports whether the systems may answer the question. False saves the caller the preparation.
  virtual bool answers(std::string_view question) const = 0;
};

// Authenticated encryption: AES-256 in Galois/counter mode (NIST SP 800-38D). Called from any thread, with locks held.
class Aead {
 public:
  static constexpr std::size_t key_size = 32;
  static constexpr std::size_t nonce_size = 12;
  static constexpr std::size_t tag_size = 16;

  // Sizes as above. `data` is authenticated, but not encrypted.
  struct Parameters {
    std::string_view key;
    std::string_view nonce;
    std::string_view data;
  };

  virtual ~Aead() = default;
  // Returns the ciphertext, of the size of the text, followed by the tag.
  virtual Result<std::string> encrypt(const Parameters& parameters, std::string_view text) = 0;
  // Returns the text, or nullopt if authentication fails. `sealed` has at least tag_size bytes.
  virtual std::optional<std::string> decrypt(const Parameters& parameters, std::string_view sealed) = 0;
};

// Types of the fields of a record, by kind.
namespace port_field {
using text = std::string;
using bytes = std::string;
using id = Id;
using count = std::uint32_t;
using instant = Instant;
using headers = std::vector<std::pair<std::string, std::string>>;
}  // namespace port_field

// Types of the parameters of a function, by kind.
namespace port_parameter {
template <typename...>
using text = std::string_view;
template <typename...>
using bytes = std::string_view;
template <typename...>
using id = const Id&;
template <typename...>
using count = std::uint32_t;
template <typename...>
using instant = Instant;
template <typename Enum>
using enumeration = Enum;
template <typename Record>
using record = const Record&;
}  // namespace port_parameter

// Types of the results of functions, by kind.
namespace port_result {
using nothing = void;
using refusal = Result<void>;
}  // namespace port_result

// Expands to apply((kind, name…)) for each of at most three parameters, separated by commas. A function with more
// parameters takes a record.
#define ORLOP_EACH(apply, ...) __VA_OPT__(ORLOP_EACH_OF_3(apply, __VA_ARGS__))
#define ORLOP_EACH_OF_3(apply, first, ...) apply first __VA_OPT__(, ORLOP_EACH_OF_2(apply, __VA_ARGS__))
#define ORLOP_EACH_OF_2(apply, first, ...) apply first __VA_OPT__(, ORLOP_EACH_OF_1(apply, __VA_ARGS__))
#define ORLOP_EACH_OF_1(apply, first) apply first

// Expands (text, message) to "std::string_view message".
#define ORLOP_PARAMETER(kind, name, ...) port_parameter::kind<__VA_ARGS__> name

// Expands to enum class LogLevel, struct Delivery, class Log and so on. Numbers are public. The classes are called on a
// thread that is inside a call of the engine.
#define ORLOP_OPTION(...)
#define ORLOP_CHOICE(...)
#define ORLOP_CUSTOM_PORT(...)
#define ORLOP_PORT_VALUE(value, number, text) value = number,
#define ORLOP_PORT_ENUM(name, Type, prefix, text, values) enum class Type : std::uint8_t { values };
#define ORLOP_FIELD(kind, name, text) port_field::kind name{};
#define ORLOP_PORT_RECORD(name, Type, text, fields) \
  struct Type {                                     \
    fields                                          \
  };
#define ORLOP_FUNCTION(gives, name, text, ...) \
  virtual port_result::gives name(ORLOP_EACH(ORLOP_PARAMETER, __VA_ARGS__)) = 0;
#define ORLOP_RELEASE()
#define ORLOP_PORT(group, name, Type, required, apis, text, about, members) \
  class Type {                                                              \
   public:                                                                  \
    virtual ~Type() = default;                                              \
    members                                                                 \
  };
#include "base/options/options.def"

// Outcome of an attempt to deliver.
struct DeliveryReport {
  Id delivery;
  std::uint16_t status = 0;  // HTTP status of the receiver; 0: no response
  std::string text;          // reason for the missing status, or the beginning of the response
};

}  // namespace orlop
