// The options of an engine as Python sets them: by name, each value as the type that the option has in C++.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string_view>
#include <vector>

#include "host.h"
#include "orlop/orlop.hpp"

namespace orlop_python {

class PythonOptions {
 public:
  // None is the default. Raises orlop.Misuse for a name that no option has, and for a value that the option cannot
  // have.
  void set(std::string_view name, const py::object& value);

  const orlop::Options& options() const { return options_; }
  // The ports, for the engine that these options open; it can be only one. Raises orlop.Misuse the second time.
  std::shared_ptr<Host> take_host();

 private:
  orlop::Options options_;  // its views point into what is kept
  std::vector<py::object> kept_;
  std::shared_ptr<Host> host_ = std::make_shared<Host>();
};

}  // namespace orlop_python
