// Bytes for Python that are made when they are first read.
#pragma once

#include <pybind11/pybind11.h>

namespace orlop_python {

namespace py = pybind11;

// Defines LazyBytes(render) in the module: an object with the buffer of what render() gives, which is called once, when
// the buffer is first asked for.
void define_lazy_bytes(py::module_& module);

}  // namespace orlop_python
