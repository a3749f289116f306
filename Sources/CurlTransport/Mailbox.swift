// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinClient
import Synchronization

/// What the callers and the thread share: requests that came in, and the wish to stop.
final class Mailbox: Sendable {
    /// How many requests may wait for a turn before more are refused at once.
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
        /// To wake the thread out of its poll; nil once it let go of curl.
        var multi: MultiHandle?
    }

    private let contents: Mutex<Contents>

    init(_ multi: MultiHandle) {
        contents = Mutex(Contents(multi: multi))
    }

    func submit(_ submission: Submission) {
        let refusal = contents.withLock { contents -> String? in
            guard !contents.isStopping else { return "the transport is shut down" }
            guard contents.submissions.count < Mailbox.capacity else { return "too many requests are waiting" }
            contents.submissions.append(submission)
            contents.multi?.wake()
            return nil
        }
        if let refusal { submission.fail(.cancelled, refusal) }
    }

    /// Takes effect before any request that is submitted later is started.
    func distrust(_ origin: Origin) {
        contents.withLock { contents in
            guard contents.distrusted.count < Mailbox.capacity else { return }
            contents.distrusted.insert(origin)
        }
    }

    func wake() {
        contents.withLock { $0.multi?.wake() }
    }

    /// - Parameter waiter: resumed once the thread has let go of everything.
    func stop(_ waiter: CheckedContinuation<Void, Never>? = nil) {
        let isClosed = contents.withLock { contents in
            contents.isStopping = true
            if let waiter, !contents.isClosed { contents.stopWaiters.append(waiter) }
            contents.multi?.wake()
            return contents.isClosed
        }
        if isClosed { waiter?.resume() }
    }

    // MARK: The thread's side

    var multi: MultiHandle? { contents.withLock { $0.multi } }

    func take() -> Delivery {
        contents.withLock { contents in
            defer {
                contents.submissions = []
                contents.distrusted = []
            }
            return Delivery(
                submissions: contents.submissions, distrusted: contents.distrusted, isStopping: contents.isStopping)
        }
    }

    /// Leaves the thread with the only reference to the multi handle.
    func disconnect() {
        contents.withLock { $0.multi = nil }
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
