// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import LoginValues
import MPinClient
import Synchronization

/// State that the callers and the thread share: requests that came in, and the wish to stop.
final class Mailbox: Sendable {
    /// The number of requests that may wait; further ones are refused at once.
    static let capacity = 256

    struct Delivery {
        var submissions: [Submission]
        var distrusted: Set<Origin>
        var isStopping: Bool
    }

    private struct Contents {
        var submissions: [Submission] = []
        var distrusted: Set<Origin> = []
        var isStopping = false
        var isClosed = false
        var stopWaiters: [CheckedContinuation<Void, Never>] = []
        /// Whether the thread will look without a further wake-up.
        var isAwake = false
        /// The handle for the thread; nil once the thread has taken it.
        var multi: MultiHandle?
    }

    private let contents: Mutex<Contents>
    /// Ends the thread's poll. curl's own wake-up needs a handle that the thread frees. Callers would have to hold a
    /// lock that the woken thread needs.
    let waker: Waker

    init(_ multi: MultiHandle) throws(CurlSetupError) {
        do throws(SystemRefusal) { waker = try Waker() } catch {
            throw CurlSetupError("libcurl did not start: \(error)")
        }
        contents = Mutex(Contents(multi: multi))
    }

    func submit(_ submission: Submission) {
        let (refusal, wakes) = contents.withLock { contents -> (String?, Bool) in
            guard !contents.isStopping else { return ("the transport is shut down", false) }
            guard contents.submissions.count < Mailbox.capacity else { return ("too many requests are waiting", false) }
            contents.submissions.append(submission)
            defer { contents.isAwake = true }
            return (nil, !contents.isAwake)
        }
        if wakes { waker.raise() }
        if let refusal { submission.fail(.cancelled, refusal) }
    }

    /// Takes effect before any request that is submitted later is started.
    func distrust(_ origin: Origin) {
        contents.withLock { contents in
            guard contents.distrusted.count < Mailbox.capacity else { return }
            contents.distrusted.insert(origin)
        }
    }

    /// - Parameter waiter: resumed once the thread has released everything.
    func stop(_ waiter: CheckedContinuation<Void, Never>? = nil) {
        let isClosed = contents.withLock { contents in
            contents.isStopping = true
            if let waiter, !contents.isClosed { contents.stopWaiters.append(waiter) }
            return contents.isClosed
        }
        waker.raise()
        if isClosed { waiter?.resume() }
    }

    // MARK: The thread's side

    /// Leaves the thread with the only reference.
    func takeMulti() -> MultiHandle? { contents.withLock { $0.multi.take() } }

    func take() -> Delivery {
        contents.withLock { contents in
            defer {
                contents.submissions = []
                contents.distrusted = []
                contents.isAwake = false
            }
            return Delivery(
                submissions: contents.submissions, distrusted: contents.distrusted, isStopping: contents.isStopping)
        }
    }

    /// The thread's last word.
    func close() {
        let waiters = contents.withLock { contents in
            contents.isClosed = true
            defer { contents.stopWaiters = [] }
            return contents.stopWaiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
