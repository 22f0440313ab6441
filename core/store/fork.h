// What a host's fork() calls, so that the child can open stores whatever the other threads of its parent did.
#pragma once

namespace orlop {

// before_store_fork() waits for no transaction: it takes locks that are held for the length of a memory allocation or
// of an open(), and after_store_fork() releases them, in the parent and in the child. Both on the forking thread.
void before_store_fork() noexcept;
void after_store_fork(bool is_child) noexcept;

}  // namespace orlop
