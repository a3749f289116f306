// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import MPinClient

/// The step that the machine waits for.
struct StepUnderWay: Sendable {
    let step: KioskStep
    let session: SessionNumber
    /// The session's file.
    let file: SessionFile
    let cancellation = Wakeup()
}

/// Work for the SDK. Jobs run one at a time and in order, so that a step of a new session cannot overlap an old one.
enum Job: Sendable {
    case step(StepUnderWay)
    case abort(AbandonedSession)
    case forgetShares(KioskIdentity)
    case delete(KioskIdentity)
    case dismissGuests
    case forgetTries(IdentityKey)
    case adopt(@Sendable () async -> KioskSettings?)
    case applyProfile(SecretBytes)
    case reset
}

/// The waiting jobs.
struct JobQueue: Sendable {
    /// The greatest number of waiting jobs. Sessions are slower than this, so a longer list means that the SDK hangs.
    static let capacity = 32

    private var jobs: [Job] = []
    private let wakeup = Wakeup()

    var isFull: Bool { jobs.count >= JobQueue.capacity }

    /// Appends a job; a full queue drops its oldest one.
    mutating func append(_ job: Job) {
        if isFull { jobs.removeFirst() }
        jobs.append(job)
        wakeup.signal()
    }

    /// Takes the oldest job.
    mutating func takeFirst() -> Job? { jobs.isEmpty ? nil : jobs.removeFirst() }

    mutating func takeAll() -> [Job] {
        defer { jobs = [] }
        return jobs
    }

    /// Waits until a job was appended; cancelling the task ends it, too.
    func wait() async { await wakeup.wait() }
}
