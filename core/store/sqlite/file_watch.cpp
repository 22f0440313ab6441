#include "store/sqlite/file_watch.h"

#include <unistd.h>

#ifdef __linux__
#include <sys/inotify.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#endif

#include <cerrno>

namespace orlop {

FileWatch::~FileWatch() { end(); }

void FileWatch::end() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

#ifdef __linux__
namespace {

// File systems that no other machine changes, by the numbers of statfs(2): ext2 to 4, XFS, Btrfs, F2FS, ZFS, tmpfs, overlayfs.
constexpr std::array local_systems = {0xEF53U, 0x58465342U, 0x9123683EU, 0xF2F52010U, 0x2FC12FC1U, 0x01021994U, 0x794C7630U};

bool is_local(const char* path) {
  struct statfs found = {};
  return ::statfs(path, &found) == 0 && std::ranges::find(local_systems, static_cast<std::uint32_t>(found.f_type)) != local_systems.end();
}

// A file that is open is not deleted for good, but loses a link: a change of its attributes.
constexpr std::uint32_t file_events = IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF;
constexpr std::uint32_t folder_events = IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR;
constexpr std::uint32_t calls_without_look = 64;

}  // namespace

bool FileWatch::add(const char* path, std::uint32_t events) noexcept { return ::inotify_add_watch(descriptor_, path, events) >= 0; }

void FileWatch::begin(std::span<const std::string> paths) noexcept try {
  if (paths.empty() || !std::ranges::all_of(paths, [](const std::string& path) { return is_local(path.c_str()); })) return;
  descriptor_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  bool is_whole = descriptor_ >= 0;
  for (const std::string& path : paths) is_whole = is_whole && add(path.c_str(), file_events);
  // The root is never moved.
  for (std::string folder = paths.front().substr(0, paths.front().rfind('/')); is_whole && !folder.empty(); folder.resize(folder.rfind('/'))) {
    is_whole = add(folder.c_str(), folder_events);
  }
  if (!is_whole) end();
} catch (...) {
  end();  // without memory for a path
}

bool FileWatch::may_have_moved() noexcept {
  if (descriptor_ < 0) return true;
  alignas(inotify_event) std::array<char, 4096> events;
  bool is_reported = false;
  ssize_t size = 0;
  while ((size = ::read(descriptor_, events.data(), events.size())) > 0) is_reported = true;
  const bool is_unknown = size == 0 || errno != EAGAIN;
  return is_reported || is_unknown || calls_++ % calls_without_look == 0;
}
#else
bool FileWatch::add(const char*, std::uint32_t) noexcept { return false; }
void FileWatch::begin(std::span<const std::string>) noexcept {}
bool FileWatch::may_have_moved() noexcept { return true; }
#endif

}  // namespace orlop
