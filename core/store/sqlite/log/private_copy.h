// Locks of a copy of SQLite that lies inside of a module, beside another copy in the same process, such as that of
// Python's own sqlite3.
//
// SQLite locks its files by POSIX locks, which belong to the process: two copies do not see each other's, and both may
// write. They also end as soon as any descriptor of the file is closed, also one that SQLite did not open
// (https://sqlite.org/howtocorrupt.html, "Multiple copies of SQLite linked into the same application").
#pragma once

namespace orlop {

// Makes this copy lock by open file descriptions, which conflict with the locks of every other copy and outlive its
// descriptors, and keeps the descriptors of locked files for the next opening instead of closing them, which would end
// the locks of the other copies. They are closed once their file is deleted. Once per process, from any thread, before
// the first connection. Does nothing unless the build links SQLite statically (ORLOP_STATIC_DEPENDENCIES) and the
// system has such locks (Linux).
void lock_beside_other_copies();

// Closes a descriptor of a store's file that SQLite did not open, without ending the locks of any copy.
void close_store_file(int descriptor) noexcept;

// Around fork(), within SQLite's own locks: a thread that has one of them may wait for this. A child shares the
// descriptions, and with them the locks, with its parent: it begins without them, and its parent keeps them.
void before_fork_beside_other_copies() noexcept;
void after_fork_beside_other_copies(bool is_child) noexcept;

}  // namespace orlop
