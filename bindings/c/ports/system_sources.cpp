#include "ports/system_sources.h"

#include <sys/random.h>

#include <cerrno>
#include <chrono>
#include <system_error>

#include "ports/callbacks.h"

namespace orlop::c {

Instant SystemClock::now() {
  using std::chrono::milliseconds;
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<milliseconds>(since_epoch).count()};
}

Duration SystemClock::monotonic() { return steady_time(); }

std::uint64_t SystemRandomSource::draw(std::uint64_t, std::uint64_t) {
  const std::lock_guard lock(mutex_);
  if (left_ == 0) {
    auto* bytes = reinterpret_cast<unsigned char*>(block_.data());
    for (std::size_t filled = 0; filled < sizeof block_;) {
      const ssize_t read = getrandom(bytes + filled, sizeof block_ - filled, 0);
      if (read < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "getrandom");
      if (read > 0) filled += static_cast<std::size_t>(read);
    }
    left_ = block_.size();
  }
  return block_[--left_];
}

}  // namespace orlop::c
