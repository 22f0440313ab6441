// Archives as tar writes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace orlop {

struct TarFile {
  std::string path;           // without "./" in front
  std::string_view contents;  // within the archive
};

// The regular files of an archive in the format ustar, pax or gnu. Folders and extended headers are passed over. Error
// invalid: no archive, one that is cut short, or one with links or with paths of more than 256 bytes.
Result<std::vector<TarFile>> read_tar(std::string_view archive);

}  // namespace orlop
