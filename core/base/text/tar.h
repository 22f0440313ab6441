// Reader of tar archives.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace orlop {

struct TarFile {
  std::string path;           // without "./" at the start
  std::string_view contents;  // view into the archive
};

// Returns the regular files of an archive in the format ustar, pax or gnu. Skips folders and extended headers. Error
// invalid: not an archive, cut short, or with links or paths of more than 256 bytes.
Result<std::vector<TarFile>> read_tar(std::string_view archive);

}  // namespace orlop
