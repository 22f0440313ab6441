#include "contract/power_cut_vfs.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <new>
#include <optional>

namespace orlop::contract {
namespace {

using Bytes = std::vector<unsigned char>;

// A change of a file's content that has not been synced yet.
struct Pending {
  std::size_t offset = 0;
  std::optional<Bytes> bytes;  // nullopt: the file is truncated at `offset`
};

void lay_down(Bytes& content, const Pending& change) {
  if (!change.bytes) {
    content.resize(change.offset);
    return;
  }
  content.resize(std::max(content.size(), change.offset + change.bytes->size()));
  std::copy(change.bytes->begin(), change.bytes->end(), content.begin() + static_cast<std::ptrdiff_t>(change.offset));
}

// Applies a random subset of the sectors of a write.
template <typename Survives>
void tear(Bytes& content, const Pending& write, const Survives& survives) {
  constexpr std::size_t sector = 512;
  const Bytes& bytes = *write.bytes;
  for (std::size_t at = 0; at < bytes.size(); at += sector) {
    const std::size_t end = std::min(at + sector, bytes.size());
    if (survives())
      lay_down(content, {write.offset + at, Bytes(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                                                  bytes.begin() + static_cast<std::ptrdiff_t>(end))});
  }
}

constexpr int lock_slots = SQLITE_SHM_NLOCK;

struct Node {
  Bytes content;  // content as programs read it
  Bytes durable;  // content after the last sync
  std::vector<Pending> pending;
  int shared = 0;    // connections with at least a shared lock
  int reserved = 0;  // connections with more than that: 0 or 1
  bool exclusive = false;
  std::vector<std::unique_ptr<Bytes>> regions;  // shared memory
  int slot_shared[lock_slots] = {};
  bool slot_exclusive[lock_slots] = {};
};

using Directory = std::map<std::string, std::shared_ptr<Node>>;

}  // namespace

struct PowerCutDisk::State {
  Directory directory;          // entries as programs see them
  Directory durable_directory;  // entries after the last sync of the directory
  std::vector<Operation> operations;
  std::size_t cut_at = 0;
  std::size_t fail_at = 0;
  bool is_cut = false;
  bool ignores_syncs = false;
  sqlite3_vfs vfs{};
  sqlite3_vfs* machine = nullptr;  // the real VFS, for time and randomness

  // Counts the operation and reports whether it succeeds.
  bool admit(Operation operation) {
    if (is_cut) return false;
    operations.push_back(operation);
    is_cut = cut_at != 0 && operations.size() >= cut_at;
    return !is_cut && operations.size() != fail_at;
  }
};

namespace {

struct File : sqlite3_file {
  PowerCutDisk::State* disk;
  std::shared_ptr<Node> node;
  bool syncs_directory;  // at the file's first sync, as SQLite does for journals
  int lock = SQLITE_LOCK_NONE;
  unsigned slots_shared = 0;
  unsigned slots_exclusive = 0;
};

File& of(sqlite3_file* file) { return *static_cast<File*>(file); }

int file_unlock(sqlite3_file* file, int level) {
  File& self = of(file);
  Node& node = *self.node;
  if (self.lock > SQLITE_LOCK_SHARED && level <= SQLITE_LOCK_SHARED) {
    node.reserved = 0;
    node.exclusive = false;
  }
  if (self.lock >= SQLITE_LOCK_SHARED && level == SQLITE_LOCK_NONE) --node.shared;
  self.lock = std::min(self.lock, level);
  return SQLITE_OK;
}

int file_lock(sqlite3_file* file, int level) {
  File& self = of(file);
  Node& node = *self.node;
  if (level <= self.lock) return SQLITE_OK;
  const bool holds_reserved = self.lock > SQLITE_LOCK_SHARED;
  if (node.exclusive && !holds_reserved) return SQLITE_BUSY;
  if (level > SQLITE_LOCK_SHARED && node.reserved != 0 && !holds_reserved) return SQLITE_BUSY;
  if (level == SQLITE_LOCK_EXCLUSIVE && node.shared > 1) return SQLITE_BUSY;
  if (self.lock == SQLITE_LOCK_NONE) ++node.shared;
  if (level > SQLITE_LOCK_SHARED) node.reserved = 1;
  if (level == SQLITE_LOCK_EXCLUSIVE) node.exclusive = true;
  self.lock = level;
  return SQLITE_OK;
}

int file_check_reserved_lock(sqlite3_file* file, int* out) {
  *out = of(file).node->reserved;
  return SQLITE_OK;
}

int file_shm_lock(sqlite3_file* file, int offset, int count, int flags) {
  File& self = of(file);
  Node& node = *self.node;
  const auto each = [&](const auto& act) {
    for (int slot = offset; slot < offset + count; ++slot) act(slot, 1U << slot);
  };
  if ((flags & SQLITE_SHM_UNLOCK) != 0) {
    each([&](int slot, unsigned bit) {
      if ((self.slots_shared & bit) != 0) --node.slot_shared[slot];
      if ((self.slots_exclusive & bit) != 0) node.slot_exclusive[slot] = false;
      self.slots_shared &= ~bit;
      self.slots_exclusive &= ~bit;
    });
    return SQLITE_OK;
  }
  const bool exclusive = (flags & SQLITE_SHM_EXCLUSIVE) != 0;
  bool held = false;
  each([&](int slot, unsigned bit) {
    const bool own_share = (self.slots_shared & bit) != 0;
    held = held || (node.slot_exclusive[slot] && (self.slots_exclusive & bit) == 0);
    held = held || (exclusive && node.slot_shared[slot] > (own_share ? 1 : 0));
  });
  if (held) return SQLITE_BUSY;
  each([&](int slot, unsigned bit) {
    if (exclusive) {
      node.slot_exclusive[slot] = true;
      self.slots_exclusive |= bit;
    } else if ((self.slots_shared & bit) == 0) {
      ++node.slot_shared[slot];
      self.slots_shared |= bit;
    }
  });
  return SQLITE_OK;
}

int file_shm_map(sqlite3_file* file, int region, int size, int, void volatile** out) {
  auto& regions = of(file).node->regions;
  while (regions.size() <= static_cast<std::size_t>(region)) {
    regions.push_back(std::make_unique<Bytes>(static_cast<std::size_t>(size)));
  }
  *out = regions[static_cast<std::size_t>(region)]->data();
  return SQLITE_OK;
}

void file_shm_barrier(sqlite3_file*) {}

int file_shm_unmap(sqlite3_file* file, int) { return file_shm_lock(file, 0, lock_slots, SQLITE_SHM_UNLOCK); }

int file_close(sqlite3_file* file) {
  file_unlock(file, SQLITE_LOCK_NONE);
  file_shm_unmap(file, 0);
  of(file).~File();
  return SQLITE_OK;
}

int file_read(sqlite3_file* file, void* out, int size, sqlite3_int64 offset) {
  if (of(file).disk->is_cut) return SQLITE_IOERR_READ;
  const Bytes& content = of(file).node->content;
  const std::size_t begin = std::min(content.size(), static_cast<std::size_t>(offset));
  const std::size_t length = std::min(content.size() - begin, static_cast<std::size_t>(size));
  std::copy_n(content.begin() + static_cast<std::ptrdiff_t>(begin), length, static_cast<unsigned char*>(out));
  std::memset(static_cast<unsigned char*>(out) + length, 0, static_cast<std::size_t>(size) - length);
  return length == static_cast<std::size_t>(size) ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

int change(File& file, Operation operation, Pending pending) {
  const bool was_cut = file.disk->is_cut;
  const bool admitted = file.disk->admit(operation);
  // The write during which the power fails may reach the disk completely or in part.
  if (admitted || (file.disk->is_cut && !was_cut)) {
    lay_down(file.node->content, pending);
    file.node->pending.push_back(std::move(pending));
  }
  return admitted ? SQLITE_OK : file.disk->is_cut ? SQLITE_IOERR_WRITE : SQLITE_FULL;
}

int file_write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  const unsigned char* first = static_cast<const unsigned char*>(bytes);
  return change(of(file), Operation::write, {static_cast<std::size_t>(offset), Bytes(first, first + size)});
}

int file_truncate(sqlite3_file* file, sqlite3_int64 size) {
  return change(of(file), Operation::truncate, {static_cast<std::size_t>(size), std::nullopt});
}

int file_sync(sqlite3_file* file, int) {
  File& self = of(file);
  if (!self.disk->admit(Operation::sync)) return SQLITE_IOERR_FSYNC;
  if (self.disk->ignores_syncs) return SQLITE_OK;
  for (const Pending& pending : self.node->pending) lay_down(self.node->durable, pending);
  self.node->pending.clear();
  if (self.syncs_directory) self.disk->durable_directory = self.disk->directory;
  self.syncs_directory = false;
  return SQLITE_OK;
}

int file_size(sqlite3_file* file, sqlite3_int64* out) {
  *out = static_cast<sqlite3_int64>(of(file).node->content.size());
  return SQLITE_OK;
}

int file_control(sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; }
int file_sector_size(sqlite3_file*) { return 4096; }
int file_characteristics(sqlite3_file*) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

// Version 2: with shared memory, without mapped reads.
const sqlite3_io_methods file_methods = {2,
                                         file_close,
                                         file_read,
                                         file_write,
                                         file_truncate,
                                         file_sync,
                                         file_size,
                                         file_lock,
                                         file_unlock,
                                         file_check_reserved_lock,
                                         file_control,
                                         file_sector_size,
                                         file_characteristics,
                                         file_shm_map,
                                         file_shm_lock,
                                         file_shm_barrier,
                                         file_shm_unmap,
                                         nullptr,
                                         nullptr};

PowerCutDisk::State& disk_of(sqlite3_vfs* vfs) { return *static_cast<PowerCutDisk::State*>(vfs->pAppData); }

int disk_open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  file->pMethods = nullptr;
  PowerCutDisk::State& disk = disk_of(vfs);
  if (disk.is_cut) return SQLITE_CANTOPEN;
  std::shared_ptr<Node> node;
  const auto found = name == nullptr ? disk.directory.end() : disk.directory.find(name);
  if (found != disk.directory.end()) {
    node = found->second;
  } else {
    if ((flags & SQLITE_OPEN_CREATE) == 0) return SQLITE_CANTOPEN;
    node = std::make_shared<Node>();
    if (name != nullptr) {
      if (!disk.admit(Operation::create)) return SQLITE_CANTOPEN;
      disk.directory[name] = node;
    }
  }
  File* opened = new (file) File{};
  opened->pMethods = &file_methods;
  opened->disk = &disk;
  opened->node = std::move(node);
  opened->syncs_directory = (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL)) != 0;
  if (out_flags != nullptr) *out_flags = flags;
  return SQLITE_OK;
}

int disk_remove(sqlite3_vfs* vfs, const char* name, int sync_directory) {
  PowerCutDisk::State& disk = disk_of(vfs);
  if (disk.directory.count(name) == 0) return SQLITE_IOERR_DELETE_NOENT;
  if (!disk.admit(Operation::remove)) return SQLITE_IOERR_DELETE;
  disk.directory.erase(name);
  if (sync_directory != 0 && !disk.ignores_syncs) disk.durable_directory = disk.directory;
  return SQLITE_OK;
}

int disk_access(sqlite3_vfs* vfs, const char* name, int, int* out) {
  *out = disk_of(vfs).directory.count(name) != 0;
  return SQLITE_OK;
}

int disk_full_path(sqlite3_vfs*, const char* name, int size, char* out) {
  sqlite3_snprintf(size, out, "%s", name);
  return SQLITE_OK;
}

int disk_randomness(sqlite3_vfs*, int size, char* out) {
  std::memset(out, 7, static_cast<std::size_t>(size));
  return size;
}

int disk_sleep(sqlite3_vfs*, int microseconds) { return microseconds; }

int disk_time(sqlite3_vfs* vfs, sqlite3_int64* out) {
  sqlite3_vfs* machine = disk_of(vfs).machine;
  return machine->xCurrentTimeInt64(machine, out);
}

int disk_time_of_day(sqlite3_vfs* vfs, double* out) {
  sqlite3_vfs* machine = disk_of(vfs).machine;
  return machine->xCurrentTime(machine, out);
}

int disk_last_error(sqlite3_vfs*, int, char*) { return 0; }

}  // namespace

PowerCutDisk::PowerCutDisk() : state_(std::make_unique<State>()) {
  state_->machine = sqlite3_vfs_find(nullptr);
  sqlite3_vfs& vfs = state_->vfs;
  vfs.iVersion = 2;
  vfs.szOsFile = sizeof(File);
  vfs.mxPathname = 512;
  vfs.zName = "power-cut";
  vfs.pAppData = state_.get();
  vfs.xOpen = disk_open;
  vfs.xDelete = disk_remove;
  vfs.xAccess = disk_access;
  vfs.xFullPathname = disk_full_path;
  vfs.xRandomness = disk_randomness;
  vfs.xSleep = disk_sleep;
  vfs.xCurrentTime = disk_time_of_day;
  vfs.xCurrentTimeInt64 = disk_time;
  vfs.xGetLastError = disk_last_error;
  sqlite3_vfs_register(&vfs, 1);
}

PowerCutDisk::~PowerCutDisk() {
  sqlite3_vfs_unregister(&state_->vfs);
  sqlite3_vfs_register(state_->machine, 1);
}

void PowerCutDisk::cut_at(std::size_t operation) { state_->cut_at = operation; }
bool PowerCutDisk::is_cut() const { return state_->is_cut; }
const std::vector<Operation>& PowerCutDisk::operations() const { return state_->operations; }
void PowerCutDisk::fail_at(std::size_t operation) { state_->fail_at = operation; }
void PowerCutDisk::ignore_syncs() { state_->ignores_syncs = true; }

void PowerCutDisk::restore_power(Leftover leftover, std::mt19937_64& random) {
  const auto survives = [&] { return leftover == Leftover::random_part && random() % 2 == 0; };
  Directory survivors = state_->durable_directory;
  for (const auto& [name, node] : state_->directory) {
    if (survivors.count(name) == 0 && survives()) survivors[name] = node;
  }
  for (auto& [name, node] : survivors) {
    if (state_->directory.count(name) == 0 && survives()) node.reset();  // the removal reached the disk without a sync
    if (!node) continue;
    auto fresh = std::make_shared<Node>();
    fresh->durable = node->durable;
    for (Pending& pending : node->pending) {
      if (!survives()) continue;
      if (pending.bytes && survives()) tear(fresh->durable, pending, survives);
      else lay_down(fresh->durable, pending);
    }
    fresh->content = fresh->durable;
    node = std::move(fresh);
  }
  std::erase_if(survivors, [](const auto& entry) { return entry.second == nullptr; });
  state_->directory = survivors;
  state_->durable_directory = std::move(survivors);
  state_->cut_at = 0;
  state_->is_cut = false;
}

}  // namespace orlop::contract
