// The settings of an engine as Python gives them: a dict whose keys are the members of orlop_options.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "host.h"
#include "orlop/orlop.hpp"

namespace orlop_python {

// Views in the options live as long as the dict. A value of None is the default. Raises orlop.Misuse for a name that is no setting and for a value
// that is none of that setting. Callbacks go to the host, which the options then share.
orlop::Options read_settings(const py::dict& given, const std::shared_ptr<Host>& host);

}  // namespace orlop_python
