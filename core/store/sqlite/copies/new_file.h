// The file that the opening of a store makes: an opening that fails leaves nothing that was not there before.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace orlop {

class NewSqliteFile {
 public:
  // Before the store that `url` names is opened. A store that lies in no file has nothing to remove.
  explicit NewSqliteFile(std::string_view url);

  // After the opening has failed and all that it has opened is closed. Removes the file, with what SQLite keeps beside
  // it, if there was none before, no process has it open and it holds nothing that another process has stored
  // meanwhile. `restored_events`: how many events the opening may have restored from a snapshot.
  void remove(std::uint64_t restored_events = 0) const noexcept;

 private:
  std::string path_;  // as SQLite takes it; "": there is nothing to remove
};

}  // namespace orlop
