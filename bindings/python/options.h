// The options of an engine, set by name from Python values.
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
  // None means the default. Raises orlop.Misuse for an unknown name or an invalid value.
  void set(std::string_view name, const py::object& value);

  const orlop::Options& options() const { return options_; }
  // Returns the ports for the engine that these options open. They can open only one: raises orlop.Misuse the second
  // time.
  std::shared_ptr<Host> take_host();

 private:
  orlop::Options options_;  // its views point into kept_
  std::vector<py::object> kept_;
  std::shared_ptr<Host> host_ = std::make_shared<Host>();
};

}  // namespace orlop_python
