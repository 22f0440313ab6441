// A planted bug that libFuzzer must find: a list of two values.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "wire/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto value = orlop::parse_json({reinterpret_cast<const char*>(data), size});
  if (value && value->is_list() && value->items().size() == 2) {
    std::fputs("the planted bug\n", stderr);
    std::abort();
  }
  return 0;
}
