// SPDX-License-Identifier: Apache-2.0

import CCurl
import LoginValues
import MPinClient

/// Work of the thread: takes requests in, lets curl move them, hands replies out. Only the thread uses it.
struct TransferLoop: ~Copyable {
    /// The number of requests that run at once. Further ones wait within their own deadlines.
    static let maximumRunning = 16
    /// The time for which the thread sleeps when there is no request.
    private static let idle = Duration.seconds(60)

    private let configuration: CurlHTTPTransport.Configuration
    private let mailbox: Mailbox
    private let multi: MultiHandle
    private var waiting: [Submission] = []
    private var running: [EasyHandle.ID: Transfer] = [:]
    private let sockets = ConnectionSockets()
    private var distrusted = DistrustedServers()

    /// - Returns: nil when another loop already serves the mailbox.
    init?(_ configuration: CurlHTTPTransport.Configuration, _ mailbox: Mailbox) {
        guard let multi = mailbox.takeMulti() else { return nil }
        // In two steps because of Swift 6.2: docs/versions.md.
        self.init(configuration, mailbox, multi)
    }

    private init(_ configuration: CurlHTTPTransport.Configuration, _ mailbox: Mailbox, _ multi: MultiHandle) {
        self.configuration = configuration
        self.mailbox = mailbox
        self.multi = multi
    }

    /// Returns when the transport was stopped; every request has its answer then and every connection is closed.
    consuming func run() {
        while takeIn() {
            endLate()
            startWaiting()
            let performed = multi.perform()
            let finished = endFinished()
            // A waiting request may take a place that has become free, so do not sleep.
            if finished && !waiting.isEmpty { continue }
            if performed != CURLM_OK || multi.poll(mailbox.waker, milliseconds: timeToSleep) != CURLM_OK {
                endAll(.transferFailed, "curl's transfers failed as a whole")
            }
        }
        endAll(.cancelled, "the transport is shut down")
        let mailbox = mailbox
        // The loop frees the multi handle and its connections before a caller that waits for the shutdown is resumed.
        _ = consume self
        mailbox.close()
    }

    /// - Returns: whether to go on.
    private mutating func takeIn() -> Bool {
        let delivery = mailbox.take()
        waiting += delivery.submissions
        for origin in delivery.distrusted { distrusted.insert(origin) }
        return !delivery.isStopping
    }

    private mutating func endLate() {
        let now = ContinuousClock.now
        waiting.removeAll { submission in
            guard let failure = TransferLoop.failure(submission, now) else { return false }
            submission.fail(failure.code, failure.cause)
            return true
        }
        for (id, transfer) in running {
            guard let failure = TransferLoop.failure(transfer.submission, now) else { continue }
            running[id] = nil
            multi.remove(transfer.easy)
            transfer.fail(failure.code, failure.cause)
        }
    }

    private static func failure(
        _ submission: Submission, _ now: ContinuousClock.Instant
    ) -> (code: HTTPTransportError.Code, cause: String)? {
        if submission.cancellation.isCancelled { return (.cancelled, "the caller no longer wants it") }
        if submission.deadline <= now { return (.timedOut, "no complete reply within \(submission.request.deadline)") }
        return nil
    }

    private mutating func startWaiting() {
        while running.count < TransferLoop.maximumRunning, !waiting.isEmpty {
            let submission = waiting.removeFirst()
            do throws(CurlFailure) {
                let request = submission.request
                guard request.pins.isEmpty || request.url.origin.scheme == .https else {
                    submission.fail(.serverKeyRefused, "the host has pins, and over http a server shows no key")
                    continue
                }
                let alone =
                    submission.isAlone || submission.isForCertificate || distrusted.contain(request.url.origin)
                let transfer = try Transfer(submission, configuration, sockets, alone: alone)
                guard multi.add(transfer.easy) else { throw CurlFailure(CURLE_FAILED_INIT) }
                running[transfer.easy.id] = transfer
            } catch {
                submission.fail(.transferFailed, error.description)
            }
        }
    }

    /// - Returns: whether any ended.
    private mutating func endFinished() -> Bool {
        var anyEnded = false
        while let (id, code) = multi.nextFinished() {
            guard let transfer = running.removeValue(forKey: id) else { continue }
            multi.remove(transfer.easy)
            anyEnded = true
            guard transfer.needsOwnConnection(after: code) else {
                transfer.end(code)
                continue
            }
            // Servers announce on the connection that they close it, so this is no reason to distrust one.
            var submission = transfer.submission
            submission.isAlone = true
            waiting.insert(submission, at: 0)
        }
        return anyEnded
    }

    private mutating func endAll(_ code: HTTPTransportError.Code, _ cause: String) {
        for submission in waiting { submission.fail(code, cause) }
        waiting = []
        for transfer in running.values {
            multi.remove(transfer.easy)
            transfer.fail(code, cause)
        }
        running = [:]
    }

    /// The time until the first deadline, in milliseconds rounded up; curl shortens it to its own next timer.
    private var timeToSleep: Int32 {
        let now = ContinuousClock.now
        let deadlines = waiting.map(\.deadline) + running.values.map(\.submission.deadline)
        let time = min(deadlines.min().map { $0 - now } ?? TransferLoop.idle, TransferLoop.idle)
        return max(0, Int32((time / .milliseconds(1)).rounded(.up)))
    }
}
