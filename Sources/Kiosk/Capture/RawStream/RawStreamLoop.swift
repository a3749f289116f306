// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskPorts
import LinuxSystem

/// The reading thread's work for a stream without headers.
///
/// The stream does not mark where a frame begins, so it must be read from its first byte. Therefore the pipe must have
/// no writer when it is opened, and the writer opens it afterwards.
struct RawStreamLoop: Sendable {
    /// The time for the program and its sensor to start.
    private static let startPatience = Duration.seconds(5)
    /// The longest time between frames.
    private static let patience = Duration.seconds(2)
    /// The time until the pipe is opened again. The process that starts the writer checks it more often, and the writer
    /// ends when it has no reader.
    private static let pause = Duration.milliseconds(500)
    private static let restingPause = Duration.seconds(60)
    /// The time for a writer of an earlier reader to end.
    private static let leavingPatience = Duration.seconds(2)

    private enum Reading {
        case whole, order, end, silence
    }

    let path: String
    let format: RawStreamFormat
    let mailbox: FrameMailbox
    let clock: any FrameClock
    let orders: CameraOrders

    func run() {
        var occupied: Duration?
        while true {
            switch orders.heard() {
            case .leave: return
            case .rest: wait(RawStreamLoop.restingPause)
            case .film: film(&occupied)
            }
        }
    }

    /// Reads until an order comes, or opens the pipe and waits a while.
    ///
    /// - Parameter occupied: the time since which the pipe has had a writer at each opening.
    private func film(_ occupied: inout Duration?) {
        do throws(FrameSourceError) {
            if try film() {
                occupied = nil
                return
            }
            let since = occupied ?? clock.now
            occupied = since
            if clock.now - since >= RawStreamLoop.leavingPatience { mailbox.trouble = tooEarly }
        } catch {
            occupied = nil
            mailbox.trouble = error
        }
        wait(RawStreamLoop.pause)
    }

    private func wait(_ limit: Duration) {
        _ = Poll.events(on: [orders.number], within: limit)
    }

    private var tooEarly: FrameSourceError {
        FrameSourceError(
            .silent, at: path, problem: "has a writer already, so the beginning of its frames is unknown",
            remedy: "start the writer after the scanner")
    }

    /// Reads until an order comes.
    ///
    /// - Returns: false when there is a writer already, perhaps in the middle of a frame.
    /// - Throws: when the stream is over or silent.
    private func film() throws(FrameSourceError) -> Bool {
        let input = try CappedFile.open(path)
        var buffer = FrameBuffer()
        var chroma = [UInt8](repeating: 0, count: format.chromaCount)
        guard isWithoutWriter(input) else {
            // A reader, even one that waits, would be a reason for the writer to stay.
            close(input.release())
            return false
        }
        var limit = RawStreamLoop.startPatience
        while true {
            buffer.resize(format.width, format.height)
            let end = clock.now + limit
            var reading = fill(&buffer.pixels, from: input, until: end)
            buffer.captured = clock.now
            if reading == .whole { reading = fill(&chroma, from: input, until: end) }
            switch reading {
            case .whole:
                mailbox.put(&buffer)
                limit = RawStreamLoop.patience
            case .order: return true
            case .end:
                throw FrameSourceError(
                    .unreadable, at: path, problem: "is written no more: the program that films has ended",
                    remedy: "it is started again")
            case .silence:
                let hasWriter = !isWithoutWriter(input)
                throw FrameSourceError(
                    .silent, at: path, problem: "has brought no frame for \(limit.components.seconds) s",
                    remedy: hasWriter
                        ? "the program that films is started again; see that the camera is connected"
                        : "start the program that films")
            }
        }
    }

    /// A read without a writer answers the end at once.
    private func isWithoutWriter(_ input: borrowing Descriptor) -> Bool {
        var byte: UInt8 = 0
        // Safe: one byte of our own.
        return unsafe read(input.number, &byte, 1) == 0
    }

    private func fill(_ bytes: inout [UInt8], from input: borrowing Descriptor, until end: Duration) -> Reading {
        let total = bytes.count
        var done = 0
        while done < total {
            let happened = Poll.events(on: [input.number, orders.number], within: max(end - clock.now, .zero))
            if happened[1] != 0 { return .order }
            if happened[0] == 0 { return .silence }
            // Safe: the rest of our own buffer.
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe read(input.number, buffer.baseAddress.map { unsafe $0 + done }, total - done)
            }
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard count > 0 else { return .end }
            done += count
        }
        return .whole
    }
}
