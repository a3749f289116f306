// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import LinuxSystem

/// A camera, read through the kernel's V4L2 interface. A thread reads as fast as the camera delivers; the newest frame
/// wins.
///
/// A camera that was open is awaited: if it is unplugged, or silent for two seconds, it is opened again. A camera whose
/// frames cannot be decoded for five seconds is asked for its next format. A camera that delivers nothing twice in a
/// row is asked for its next size. If no camera was named, the next one is tried until one delivers.
public struct V4L2Camera: ~Copyable, FrameSource {
    public let isLive = true

    private let mailbox = CameraMailbox()
    private let orders = CameraOrders()
    private let clock: any FrameClock
    private var reader = LumaReader()
    private var exposure = ExposureRule()
    private let variesExposure: Bool
    // Last, because it is joined when it goes.
    private let thread: SystemThread

    /// The camera that has delivered, or that was opened first. If another camera replaces it, the source ends.
    public private(set) var identity: CameraIdentity

    /// The format that the camera delivers, as the driver has answered. A camera that comes back may be asked again.
    public private(set) var format: CameraFormat

    public var dropped: UInt64 { counts.replaced + counts.missed }
    public var damaged: UInt64 { counts.damaged }
    public var flawed: UInt64 { counts.flawed }

    public var camera: String { identity.description }

    public var counts: CameraCounts { mailbox.counts }

    /// The reason why no frame comes at the moment, such as that the camera was unplugged; nil while frames come.
    public var trouble: FrameSourceError? { mailbox.trouble }

    public var taken: [ControlSetting] { mailbox.taken }

    public var passedOver: [String]? { mailbox.passedOver }

    /// Opens the camera and starts it.
    ///
    /// - Parameters:
    ///   - known: the camera's earlier description, if another camera must not replace it unnoticed.
    ///   - owed: controls that an earlier process took from the camera's own regulation.
    /// - Throws: `.notFound` when it is not there, `.inUse` with the program that has it, `.unsupportedFormat` for what
    ///   delivers no pictures, `.invalidSource` for a control that it does not have or a value out of its range, and
    ///   `.forbidden` and `.unreadable` when the system or the driver refuses.
    public init(
        _ request: CameraRequest, again known: String? = nil, owed: [ControlSetting] = []
    ) throws(FrameSourceError) {
        try self.init(
            CameraFinder(request: request, files: DeviceFiles(), system: KernelVideoSystem()), again: known,
            owed: owed, clock: MonotonicFrameClock())
    }

    /// - Parameter pauses: from the first to the longest between attempts to open a camera that has gone.
    init(
        _ finder: CameraFinder, again known: String? = nil, owed: [ControlSetting] = [], clock: any FrameClock,
        pauses: ClosedRange<Duration> = CameraLoop.pauses
    ) throws(FrameSourceError) {
        let (stream, passedOver) = try finder.start(again: known)
        self.init(
            stream, passedOver: passedOver, finder: finder, again: known, owed: owed, clock: clock, pauses: pauses)
    }

    private init(
        _ stream: VideoStream, passedOver: [String]?, finder: CameraFinder, again known: String?,
        owed: [ControlSetting], clock: any FrameClock, pauses: ClosedRange<Duration>
    ) {
        identity = stream.identity
        format = CameraFormat(stream.format)
        self.clock = clock
        variesExposure = finder.request.settings.variesExposure
        mailbox.taken = owed
        mailbox.pass(over: passedOver, formats: stream.passedOver)
        let loop = CameraLoop(
            finder: finder, mailbox: mailbox, clock: clock, orders: orders, pauses: pauses, owedBefore: owed,
            knownBefore: known)
        thread = SystemThread.required { loop.run(stream) }
    }

    deinit {
        orders.give(.leave)
    }

    /// Closes the camera: its light goes out, other programs may have it, and nothing is filmed.
    public mutating func pause() {
        exposure = ExposureRule()
        orders.exposureShift = nil
        orders.give(.rest)
    }

    /// Opens it again.
    public mutating func resume() {
        mailbox.clear()
        orders.give(.film)
    }

    public mutating func sparesSize(_ isSpared: Bool) { reader.sparesSize = isSpared }

    public mutating func hearSearch(_ view: CodeView) {
        guard variesExposure else { return }
        orders.exposureShift = exposure.next(after: view)
    }

    public mutating func lendNext(
        within limit: Duration, to body: (borrowing Frame) -> Void
    ) throws(FrameSourceError) -> FrameSourceAnswer {
        let end = clock.now + limit
        while true {
            let rest = end - clock.now
            guard let buffer = try mailbox.take(within: max(rest, .zero)) else { return .nothing }
            defer { buffer.stream.giveBack(buffer) }
            switch reader.lend(buffer, to: body) {
            case .lent(let isFlawed):
                mailbox.decoded(isFlawed: isFlawed)
                if buffer.stream.identity != identity { identity = buffer.stream.identity }
                format = CameraFormat(buffer.stream.format)
                return .lent
            // The next one may be whole.
            case .undecodable(let reason): mailbox.undecoded(reason, at: clock.now)
            }
            guard rest > .zero else { return .nothing }
        }
    }
}

/// Counters of a camera since it was first opened.
public struct CameraCounts: Sendable, Equatable {
    /// Frames that a newer one replaced before they were asked for.
    public var replaced: UInt64 = 0
    /// Frames that the driver lost, detected by gaps in its numbers.
    public var missed: UInt64 = 0
    /// Frames that could not be decoded: cut off, damaged, or not of the driver's format.
    public var damaged: UInt64 = 0
    /// Frames that break a rule of their format but were decoded.
    public var flawed: UInt64 = 0
    /// The number of times that the camera was opened again, after it had gone or was silent.
    public var reopened: UInt64 = 0
}
