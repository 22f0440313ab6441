// Memory that fails: replaces malloc in the program that includes this, or operator new where a sanitizer replaces
// malloc. To be included by one file of a program.
#ifndef ORLOP_TESTS_FAILING_MEMORY_H
#define ORLOP_TESTS_FAILING_MEMORY_H

#include <cstdlib>
#include <new>

namespace {

constexpr long plenty = -1;
thread_local long left = plenty;     // allocations until one fails
thread_local bool for_ever = false;  // all later ones fail as well
thread_local bool has_failed = false;

bool fails() {
  if (left == plenty) return false;
  if (left > 0) {
    --left;
    return false;
  }
  has_failed = true;
  if (!for_ever) left = plenty;
  return true;
}

}  // namespace

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);

__attribute__((visibility("default"))) void* malloc(std::size_t size) noexcept {
  return fails() ? nullptr : __libc_malloc(size);
}
__attribute__((visibility("default"))) void* calloc(std::size_t count, std::size_t size) noexcept {
  return fails() ? nullptr : __libc_calloc(count, size);
}
__attribute__((visibility("default"))) void* realloc(void* block, std::size_t size) noexcept {
  return fails() ? nullptr : __libc_realloc(block, size);
}
}
#else
// Sanitizers replace malloc: here only operator new fails.
namespace {
void* allocate(std::size_t size) { return fails() ? nullptr : std::malloc(size == 0 ? 1 : size); }
void* allocate_or_throw(std::size_t size) {
  if (void* block = allocate(size)) return block;
  throw std::bad_alloc();
}
}  // namespace
void* operator new(std::size_t size) { return allocate_or_throw(size); }
void* operator new[](std::size_t size) { return allocate_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
#endif

#endif
