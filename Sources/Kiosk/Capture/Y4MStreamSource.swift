// SPDX-License-Identifier: Apache-2.0

import Glibc
public import KioskPorts
import LinuxSystem

/// Frames from a Y4M stream on a pipe. A thread reads as fast as the writer writes; the newest frame wins. A named pipe
/// is waited for, before it has a writer and when its writer has left.
public struct Y4MStreamSource: ~Copyable, FrameSource {
    public let isLive = true

    private let mailbox = FrameMailbox()
    private let stop = Waker.required()
    private var lent = FrameBuffer()
    // Last, because it is joined when it goes.
    private let thread: SystemThread

    public var dropped: UInt64 { mailbox.dropped }
    public var trouble: FrameSourceError? { mailbox.trouble }

    /// Reads from a named pipe (it may be opened before its writer is there).
    public init(path: String) throws(FrameSourceError) {
        try self.init(path: path, patience: Y4MWait.patience)
    }

    /// - Parameter patience: the time without a frame after which the wait is reported.
    init(path: String, patience: Duration) throws(FrameSourceError) {
        self.init(input: try CappedFile.open(path), place: path, path: path, patience: patience)
    }

    /// Takes over a descriptor that the process was started with.
    public init(descriptor: Int32) throws(FrameSourceError) {
        let place = "descriptor \(descriptor)"
        guard fcntl(descriptor, F_GETFD) >= 0 else {
            throw FrameSourceError(
                .notFound, at: place, problem: "is not open", remedy: "start the program with a pipe on it")
        }
        self.init(input: Descriptor(owning: descriptor), place: place)
    }

    /// - Parameter path: to open the pipe again by; nil for a descriptor, which has one writer.
    private init(
        input: consuming Descriptor, place: String, path: String? = nil, patience: Duration = Y4MWait.patience
    ) {
        let wait = Y4MWait(place: place, patience: patience, stop: stop.descriptor, mailbox: mailbox)
        let mailbox = mailbox
        let descriptor = input.release()
        thread = SystemThread.required {
            var number: Int32? = descriptor
            do throws(FrameSourceError) {
                while let input = number {
                    var reader = Y4MReader(Descriptor(owning: input), place: place, wait: wait)
                    number = nil
                    try Y4MStreamSource.read(from: &reader, into: mailbox)
                    guard let path, !wait.isStopped else { break }
                    wait.tellEnd()
                    // Before it is closed: the next writer may be there already.
                    number = try CappedFile.open(path).release()
                    reader.close()
                }
                mailbox.end(.success(()))
            } catch {
                mailbox.end(.failure(error))
            }
        }
    }

    /// Reads to the end of the stream, or until the order to stop.
    private static func read(from reader: inout Y4MReader, into mailbox: FrameMailbox) throws(FrameSourceError) {
        guard let header = try reader.header() else { return }
        var buffer = FrameBuffer()
        while try reader.frame(header, into: &buffer) {
            buffer.captured = MonotonicTime.now
            mailbox.put(&buffer)
        }
    }

    deinit {
        stop.raise()
    }

    public mutating func lendNext(
        within limit: Duration, to body: (borrowing Frame) -> Void
    ) throws(FrameSourceError) -> FrameSourceAnswer {
        let answer = try mailbox.take(&lent, within: limit)
        guard answer == .lent else { return answer }
        lent.lend(to: body)
        return .lent
    }
}
