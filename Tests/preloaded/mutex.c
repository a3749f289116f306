// SPDX-License-Identifier: Apache-2.0
// Shows ThreadSanitizer the waiting for Swift's Mutex, which the library `Synchronization` leaves to the kernel: without
// this the sanitizer sees no order between the thread that unlocks and the one that gets the lock, and reports races.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define swift __attribute__((swiftcall))
#define self_pointer __attribute__((swift_context)) void *self

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

// _MutexHandle._lockSlow(_:), _tryLockSlow() and _unlockSlow().
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

swift void lock_slow(uint32_t thread, self_pointer) __asm__(LOCK);
swift bool try_lock_slow(self_pointer) __asm__(TRY);
swift void unlock_slow(self_pointer) __asm__(UNLOCK);

swift void lock_slow(uint32_t thread, self_pointer) {
    ((swift void (*)(uint32_t, self_pointer))dlsym(RTLD_NEXT, LOCK))(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

swift bool try_lock_slow(self_pointer) {
    bool is_locked = ((swift bool (*)(self_pointer))dlsym(RTLD_NEXT, TRY))(self);
    if (is_locked && __tsan_acquire) __tsan_acquire(self);
    return is_locked;
}

swift void unlock_slow(self_pointer) {
    if (__tsan_release) __tsan_release(self);
    ((swift void (*)(self_pointer))dlsym(RTLD_NEXT, UNLOCK))(self);
}
