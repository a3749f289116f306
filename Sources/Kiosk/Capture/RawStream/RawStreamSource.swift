// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import LinuxSystem

/// A camera that another program films, through a named pipe. A thread reads as fast as the program writes; the newest
/// frame wins. The program is waited for, and waited for again when it has left or is silent.
public struct RawStreamSource: ~Copyable, FrameSource {
    public let isLive = true
    public let camera: String

    private let mailbox = FrameMailbox()
    private let orders = CameraOrders()
    private var lent = FrameBuffer()
    // Last, because it is joined when it goes.
    private let thread: SystemThread

    public var dropped: UInt64 { mailbox.dropped }
    public var trouble: FrameSourceError? { mailbox.trouble }

    /// - Throws: when there is no such pipe, or it may not be read.
    public init(
        path: String, _ format: RawStreamFormat, clock: any FrameClock = MonotonicFrameClock()
    ) throws(FrameSourceError) {
        _ = try CappedFile.open(path)
        self.init(ofPipe: path, format, clock)
    }

    private init(ofPipe path: String, _ format: RawStreamFormat, _ clock: any FrameClock) {
        camera = SensorRequest.program
        let loop = RawStreamLoop(path: path, format: format, mailbox: mailbox, clock: clock, orders: orders)
        thread = SystemThread.required { loop.run() }
    }

    deinit {
        orders.give(.leave)
    }

    /// Closes the pipe, which ends its writer.
    public mutating func pause() {
        orders.give(.rest)
    }

    public mutating func resume() {
        mailbox.clear()
        orders.give(.film)
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
