#include "lazy_bytes.h"

#include <optional>
#include <utility>

namespace orlop_python {
namespace {

class LazyBytes {
 public:
  explicit LazyBytes(py::object render) : render_(std::move(render)) {}
  py::bytes bytes() {
    if (!made_) made_ = render_().cast<py::bytes>();
    return *made_;
  }
  py::buffer_info buffer() {
    char* data = nullptr;
    py::ssize_t size = 0;
    const py::bytes made = bytes();
    if (PyBytes_AsStringAndSize(made.ptr(), &data, &size) != 0) throw py::error_already_set();
    return {data, 1, py::format_descriptor<unsigned char>::format(), 1, {size}, {1}, true};
  }

 private:
  py::object render_;
  std::optional<py::bytes> made_;
};

}  // namespace

void define_lazy_bytes(py::module_& module) {
  py::class_<LazyBytes>(module, "LazyBytes", py::buffer_protocol())
      .def(py::init<py::object>(), py::arg("render"))
      .def("__bytes__", &LazyBytes::bytes)
      .def_buffer(&LazyBytes::buffer);
}

}  // namespace orlop_python
