// Bytes for Python that are rendered when they are first read.
#pragma once

#include <pybind11/pybind11.h>

namespace orlop_python {

namespace py = pybind11;

// Defines LazyBytes(render) in the module: an object whose buffer is the result of render(), which is called once, when
// the buffer is first requested.
void define_lazy_bytes(py::module_& module);

}  // namespace orlop_python
