// SPDX-License-Identifier: Apache-2.0

import CPostgres
import Glibc
import LinuxSystem
import Synchronization

/// Wakes tasks when a descriptor can be read or written, or when their time is over: one thread for the whole process,
/// as long as that lives. No task's own thread stands still meanwhile.
final class DescriptorWatch: Sendable {
    static let shared = DescriptorWatch()

    private struct Wait {
        let deadline: ContinuousClock.Instant
        /// Told whether it happened; false when the time is over.
        let end: @Sendable (Bool) -> Void
    }

    private struct State {
        var waits: [UInt64: Wait] = [:]
        /// Of the next wait; 0 is what wakes the thread itself.
        var nextNumber: UInt64 = 1
        /// The thread wakes by itself then, or earlier than any deadline; nil: never.
        var wakesAt: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let list: Int32
    private let waker = Waker.required()

    private init() {
        list = epoll_create1(Int32(EPOLL_CLOEXEC))
        precondition(list >= 0, "the system refuses a descriptor")
        arm(waker.descriptor, EPOLLIN.rawValue, number: 0)
        do throws(SystemRefusal) { try SystemThread.detach { DescriptorWatch.shared.watch() } } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Waits until `descriptor` can be read, or taken leave of, or also written.
    /// - Returns: false when it was not until `deadline`.
    nonisolated(nonsending) func wait(
        for descriptor: Int32, orWriting: Bool = false, until deadline: ContinuousClock.Instant
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            let number = begin(until: deadline) { continuation.resume(returning: $0) }
            let events = EPOLLIN.rawValue | (orWriting ? EPOLLOUT.rawValue : 0) | EPOLLONESHOT.rawValue
            if !arm(descriptor, events, number: number) { end(number)?(false) }
        }
    }

    nonisolated(nonsending) func pause(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            begin(until: .now + duration) { _ in continuation.resume() }
        }
    }

    /// Calls `end` once: with false at `deadline`, unless ``end(_:)`` is first.
    @discardableResult
    func begin(until deadline: ContinuousClock.Instant, _ end: @escaping @Sendable (Bool) -> Void) -> UInt64 {
        let (number, isEarlier) = state.withLock { state in
            let number = state.nextNumber
            state.nextNumber += 1
            state.waits[number] = Wait(deadline: deadline, end: end)
            let isEarlier = state.wakesAt.map { deadline < $0 } ?? true
            if isEarlier { state.wakesAt = deadline }
            return (number, isEarlier)
        }
        // Most waits are as long as the ones before: then the thread wakes early enough without a word.
        if isEarlier { waker.raise() }
        return number
    }

    /// - Returns: what is to be called now, if the wait has not ended yet.
    func end(_ number: UInt64) -> (@Sendable (Bool) -> Void)? {
        state.withLock { $0.waits.removeValue(forKey: number)?.end }
    }

    @discardableResult
    private func arm(_ descriptor: Int32, _ events: UInt32, number: UInt64) -> Bool {
        // Safe: only the number of what is carried along is used.
        var event = unsafe epoll_event()
        unsafe event.events = events
        unsafe event.data.u64 = number
        // Safe: the structure is lent for the calls. A descriptor stays in the list until it is closed.
        if unsafe epoll_ctl(list, EPOLL_CTL_MOD, descriptor, &event) == 0 { return true }
        return unsafe errno == ENOENT && epoll_ctl(list, EPOLL_CTL_ADD, descriptor, &event) == 0
    }

    /// The loop that the thread runs.
    private func watch() {
        // Safe, here and below: only the number of what is carried along is used.
        var events = unsafe [epoll_event](repeating: epoll_event(), count: 64)
        while true {
            let capacity = unsafe Int32(events.count)
            // As many as fit are written.
            let count = unsafe epoll_wait(list, &events, capacity, timeout())
            for place in 0..<Int(max(count, 0)) {
                let number = unsafe events[place].data.u64
                if number == 0 {
                    waker.lower()
                } else {
                    end(number)?(true)
                }
            }
            for end in late() { end(false) }
        }
    }

    /// Until the thread has to wake by itself, in milliseconds rounded up; -1: never.
    private func timeout() -> Int32 {
        guard let wakesAt = state.withLock({ $0.wakesAt }) else { return -1 }
        let rest: Double = (wakesAt - .now) / .milliseconds(1)
        return Int32(clamping: Int64(max(0, rest.rounded(.up))))
    }

    /// Ends the waits whose time is over, and looks when the next one's is.
    private func late() -> [@Sendable (Bool) -> Void] {
        let now = ContinuousClock.now
        return state.withLock { state in
            guard let wakesAt = state.wakesAt, wakesAt <= now else { return [] }
            let late = state.waits.filter { $0.value.deadline <= now }
            for number in late.keys { state.waits[number] = nil }
            state.wakesAt = state.waits.values.map(\.deadline).min()
            return late.values.map(\.end)
        }
    }
}
