// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A thread for calls that block, outside the pool that Swift's tasks share. It is joined when its owner goes, so tell
/// its body to end before.
///
/// Signals are handled elsewhere: all are blocked here, in threads that it starts, too, and a pipe without a reader is
/// an error of `write`.
///
/// Its stack is its own and not libc's, which makes a new one usable by `mprotect`: the confined scanner may not call
/// that.
public struct SystemThread: ~Copyable, Sendable {
    private let thread: pthread_t
    private let stack: ThreadStack

    public init(_ body: @escaping @Sendable () -> Void) throws(SystemRefusal) {
        let stack = try ThreadStack()
        thread = try SystemThread.start(body) { attributes in
            // Safe: the stack outlives the thread, which is joined.
            unsafe pthread_attr_setstack(&attributes, stack.start, ThreadStack.size)
        }
        self.stack = stack
    }

    deinit {
        pthread_join(thread, nil)
    }

    /// Starts a thread where the program cannot go on without.
    public static func required(_ body: @escaping @Sendable () -> Void) -> SystemThread {
        do throws(SystemRefusal) { return try SystemThread(body) } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Runs `body` on a thread that nobody waits for: it goes when `body` returns.
    public static func detach(_ body: @escaping @Sendable () -> Void) throws(SystemRefusal) {
        _ = try start(body) { attributes in
            unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        }
    }

    private static func start(
        _ body: @escaping @Sendable () -> Void, _ prepare: (inout pthread_attr_t) -> Int32
    ) throws(SystemRefusal) -> pthread_t {
        // Safe: the box is retained for the thread and released by it, or here when there is none.
        let box = unsafe Unmanaged.passRetained(Body(run: body)).toOpaque()
        var thread = pthread_t()
        var all = sigset_t()
        var before = sigset_t()
        // Safe: both sets are ours; the mask is inherited by the new thread and then put back.
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        var attributes = pthread_attr_t()
        // Safe: the attributes are ours.
        unsafe pthread_attr_init(&attributes)
        _ = prepare(&attributes)
        let code = unsafe pthread_create(
            &thread, &attributes,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, box)
        unsafe pthread_attr_destroy(&attributes)
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        guard code == 0 else {
            unsafe Unmanaged<Body>.fromOpaque(box).release()
            throw SystemRefusal(code)
        }
        return thread
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}

/// The stack of a thread, with a gap below it: a thread that needs more ends the process instead of writing elsewhere.
// Safe to use: the memory is mapped and unmapped by this type alone.
@safe private struct ThreadStack: ~Copyable, Sendable {
    /// The size of a stack, as in libc. Unused parts take no memory.
    static let size = 8 << 20
    /// A multiple of every page size.
    private static let gap = 64 << 10

    private nonisolated(unsafe) let whole: UnsafeMutableRawPointer

    var start: UnsafeMutableRawPointer { unsafe whole + ThreadStack.gap }

    init() throws(SystemRefusal) { unsafe whole = try ThreadStack.map() }

    private static func map() throws(SystemRefusal) -> UnsafeMutableRawPointer {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK
        let whole = unsafe mmap(nil, gap + size, PROT_NONE, flags, -1, 0)
        guard let whole = unsafe whole, unsafe whole != MAP_FAILED else { throw SystemRefusal(errno) }
        // In the place of pages that are ours.
        let usable = unsafe mmap(
            whole + gap, size, PROT_READ | PROT_WRITE, flags | MAP_FIXED | MAP_NORESERVE, -1, 0)
        guard unsafe usable != MAP_FAILED else {
            let refusal = SystemRefusal(errno)
            unsafe munmap(whole, gap + size)
            throw refusal
        }
        return unsafe whole
    }

    deinit {
        unsafe munmap(whole, ThreadStack.gap + ThreadStack.size)
    }
}
