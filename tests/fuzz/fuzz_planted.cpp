// A bug that was planted, for the check that libFuzzer finds one: an object whose member "x" is a list of two.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "wire/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto value = orlop::parse_json({reinterpret_cast<const char*>(data), size});
  const orlop::Value* found = value ? value->find("x") : nullptr;
  if (found != nullptr && found->is_list() && found->items().size() == 2) {
    std::fputs("the planted bug\n", stderr);
    std::abort();
  }
  return 0;
}
