// Hooks around a host's fork(), so that the child can open stores regardless of the parent's other threads.
#pragma once

namespace orlop {

// before_store_fork() waits for no transaction: it takes locks that are held for the length of a memory allocation or
// of an open(), and after_store_fork() releases them, in the parent and in the child. Both on the forking thread.
void before_store_fork() noexcept;
void after_store_fork(bool is_child) noexcept;

}  // namespace orlop
