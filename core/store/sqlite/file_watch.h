// Whether files may have changed their place, in one short call for all of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace orlop {

// Has the kernel report each change of files, and of the folders in which they lie (inotify, Linux). Elsewhere, and on file systems that other machines change too, it
// knows nothing.
class FileWatch {
 public:
  FileWatch() = default;
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // Once. Absolute paths of files that are there, of one folder, without symbolic links.
  void begin(std::span<const std::string> paths) noexcept;
  // False: none of them was deleted, moved or replaced since the last call. True: perhaps one was; also where that is not known, and at every 64th call, for what no kernel
  // reports, such as a file system that is mounted over the folder. One thread at a time.
  bool may_have_moved() noexcept;

 private:
  bool add(const char* path, std::uint32_t events) noexcept;
  void end() noexcept;

  int descriptor_ = -1;  // nothing is known
  std::uint32_t calls_ = 0;
};

}  // namespace orlop
