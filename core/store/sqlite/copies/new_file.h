// Cleanup of the file that opening a store creates: a failed opening leaves no new file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace orlop {

class NewSqliteFile {
 public:
  // Called before the store that `url` names is opened. A store that is not in a file has nothing to remove.
  explicit NewSqliteFile(std::string_view url);

  // Called after the opening has failed and all its connections are closed. Removes the file and SQLite's files beside
  // it, if there was none before, no process has it open and no other process has stored anything in it.
  // `restored_events`: number of events that the opening may have restored from a snapshot.
  void remove(std::uint64_t restored_events = 0) const noexcept;

 private:
  std::string path_;  // as SQLite takes it; empty if there is nothing to remove
};

}  // namespace orlop
