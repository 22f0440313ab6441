// The files in core/base/options/ports/ as data, for the generators.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orlop {

enum class PortKind { text, bytes, id, count, instant, headers, enumeration, record };

// A field of a record or a parameter of a function.
struct PortPart {
  PortKind kind;
  std::string_view name;
  std::string_view type = {};  // name of the enumeration or record
  std::string_view text = {};
};

struct PortEnum {
  struct Value {
    std::string_view name;
    int number;
    std::string_view text;
  };
  std::string_view name, type, prefix, text;
  std::vector<Value> values;
};

struct PortRecord {
  std::string_view name, type, text;
  std::vector<PortPart> fields;
};

// Result of a function, or the kind of another member: release() or a text.
enum class PortGives { nothing, refusal, instant, duration, number, release, text };

struct PortMember {
  PortGives gives;
  std::string_view name;
  std::string_view text = {};
  std::vector<PortPart> parameters = {};
};

struct PortFacts {
  std::string_view name, type;
  bool is_custom;
  std::string_view text;
  std::vector<PortMember> members;  // empty if its struct is written by hand

  // Returns the functions of a port that is not custom.
  std::vector<PortMember> functions() const;
  // Reports whether the port has one function: in C++ a function object, in Python a callable.
  bool is_callable() const { return functions().size() == 1; }
};

// Return the declarations in the order of options.def.
const std::vector<PortEnum>& all_port_enums();
const std::vector<PortRecord>& all_port_records();
const std::vector<PortFacts>& all_ports();

// Returns the C type, such as "orlop_delivery" for "Delivery".
std::string c_type_of(std::string_view type);

// Generate include/orlop/port_structs.h and ports.hpp.
std::string port_structs_header();
std::string port_types_header();
// Generate bindings/python/port_calls.h and python/orlop/generated/ports.py.
std::string python_port_calls();
std::string python_ports();

}  // namespace orlop
