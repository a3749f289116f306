// SPDX-License-Identifier: Apache-2.0

import Glibc
public import KioskPorts

/// Frames from a Y4M stream on a pipe. A thread reads as fast as the writer writes; the newest frame wins.
public struct Y4MStreamSource: ~Copyable, FrameSource {
    public let isLive = true

    private let mailbox = FrameMailbox()
    private let stop = Signal()
    private var lent = FrameBuffer()
    // Last, because it is joined when it goes.
    private let thread: DedicatedThread

    public var dropped: UInt64 { mailbox.dropped }

    /// Reads from a named pipe (it may be opened before its writer is there).
    public init(path: String, clock: any FrameClock = MonotonicFrameClock()) throws(FrameSourceError) {
        self.init(input: try CappedFile.open(path), place: path, clock: clock)
    }

    /// Takes over a descriptor that the process was started with.
    public init(descriptor: Int32, clock: any FrameClock = MonotonicFrameClock()) throws(FrameSourceError) {
        let place = "descriptor \(descriptor)"
        guard fcntl(descriptor, F_GETFD) >= 0 else {
            throw FrameSourceError(
                .notFound, at: place, problem: "is not open", remedy: "start the program with a pipe on it")
        }
        self.init(input: Descriptor(owning: descriptor), place: place, clock: clock)
    }

    private init(input: consuming Descriptor, place: String, clock: any FrameClock) {
        let (mailbox, stop) = (mailbox, stop)
        let descriptor = input.release()
        thread = DedicatedThread {
            var reader = Y4MReader(Descriptor(owning: descriptor), place: place, stop: stop.number)
            do throws(FrameSourceError) {
                guard let header = try reader.header() else { return mailbox.end(.success(())) }
                var buffer = FrameBuffer()
                while try reader.frame(header, into: &buffer.pixels) {
                    buffer.width = header.width
                    buffer.height = header.height
                    buffer.captured = clock.now
                    mailbox.put(&buffer)
                }
                mailbox.end(.success(()))
            } catch {
                mailbox.end(.failure(error))
            }
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
