// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LinuxSystem

/// Waits for a pipe, until there is something to read or an order to stop. Reports a long wait.
struct Y4MWait: Sendable {
    /// The time without a frame after which the wait is reported.
    static let patience = Duration.seconds(5)

    let place: String
    let patience: Duration
    /// Readable when the thread is to stop.
    let stop: Int32
    let mailbox: FrameMailbox

    var isStopped: Bool { Poll.isReadable(stop, within: .zero) }

    /// - Parameter hasBegun: whether the pipe's writer has written something yet.
    /// - Returns: false when the thread is to stop.
    func forInput(_ pipe: Int32, hasBegun: Bool) -> Bool {
        while true {
            let happened = Poll.events(on: [pipe, stop], within: patience)
            if happened[1] != 0 { return false }
            if happened[0] != 0 { return true }
            // The fault that its writer has left is more useful.
            if !hasBegun, mailbox.trouble != nil { continue }
            let seconds = patience.components.seconds
            mailbox.trouble =
                hasBegun
                ? FrameSourceError(
                    .silent, at: place, problem: "has brought no frame for \(seconds) s",
                    remedy: "see what keeps the program that films")
                : FrameSourceError(
                    .silent, at: place, problem: "has brought nothing yet, for \(seconds) s",
                    remedy: "start the program that films")
        }
    }

    /// The pipe's writer has gone.
    func tellEnd() {
        mailbox.trouble = FrameSourceError(
            .silent, at: place, problem: "is written no more: the program that films has ended",
            remedy: "start it again")
    }
}
