// Locks of a copy of SQLite that is linked into a module, while the process uses another copy, such as that of Python's
// sqlite3.
//
// SQLite locks its files by POSIX locks, which belong to the process: two copies do not see each other's locks, and
// both may write. The locks also end as soon as any descriptor of the file is closed, also one that SQLite did not open
// (https://sqlite.org/howtocorrupt.html, "Multiple copies of SQLite linked into the same application").
#pragma once

namespace orlop {

// Makes this copy lock by open file descriptions, which conflict with the locks of every other copy and outlive its
// descriptors. Descriptors of locked files are kept for the next opening instead of closed, which would end the locks
// of the other copies; they are closed once their file is deleted. Once per process, from any thread, before the first
// connection. Does nothing unless the build links SQLite statically (ORLOP_STATIC_DEPENDENCIES) and the system has such
// locks (Linux).
void lock_beside_other_copies();

// Closes a descriptor of a store's file that SQLite did not open, without ending the locks of any copy.
void close_store_file(int descriptor) noexcept;

// Called around fork(), within SQLite's own locks: a thread that has one of them may wait for this. A child shares the
// descriptions, and so the locks, with its parent: it closes its own, and its parent keeps the locks.
void before_fork_beside_other_copies() noexcept;
void after_fork_beside_other_copies(bool is_child) noexcept;

}  // namespace orlop
