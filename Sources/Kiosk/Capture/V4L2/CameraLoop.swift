// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskPorts
import LinuxSystem

/// The reading thread's work: keeps the newest frame in the mailbox, and opens the camera again when it has gone, is
/// silent or fails, delivers what cannot be decoded, or was closed for a rest. If no camera was named, the next one is
/// tried until one delivers.
struct CameraLoop: Sendable {
    /// A camera that delivers nothing for this time is opened again.
    static let patience = Duration.seconds(2)
    /// The same, before its first frame: some cameras take seconds to wake up and to measure the light.
    static let startPatience = Duration.seconds(5)
    /// The pause between attempts to open the camera: doubled from the first to the last. A camera that returns is
    /// noticed at once.
    static let pauses = Duration.milliseconds(250)...Duration.seconds(2)
    /// A rest ends with an order. Orders are also checked for at this interval.
    private static let restingPause = Duration.seconds(60)
    /// Read errors in a row after which the stream is treated as broken.
    private static let maximumReadErrors = 8

    let finder: CameraFinder
    let mailbox: CameraMailbox
    let clock: any FrameClock
    let orders: CameraOrders
    let pauses: ClosedRange<Duration>
    /// Controls that an earlier process took from the camera's regulation.
    let owedBefore: [ControlSetting]
    /// The description of the camera from which an earlier process had pictures.
    let knownBefore: String?

    /// - Parameter first: the stream that was opened on the caller's thread.
    func run(_ first: VideoStream) {
        var filming = Filming(
            stream: first,
            known: knownBefore ?? (finder.request.which == .any ? nil : first.identity.description))
        first.takeBack(owedBefore, at: clock.now)
        while true {
            switch orders.heard() {
            case .leave: return close(&filming)
            case .rest:
                close(&filming)
                filming.hasBroken = false
                _ = Poll.events(on: [orders.number], within: CameraLoop.restingPause)
            case .film:
                if let stream = filming.stream {
                    film(stream, &filming)
                } else if !open(&filming) {
                    return
                }
            }
        }
    }

    /// Reads the open stream, and closes it unless an order ended the reading.
    private func film(_ stream: VideoStream, _ filming: inout Filming) {
        let reading = read(stream)
        if mailbox.hasDecoded { (filming.known, filming.working) = (stream.identity.description, stream.format) }
        guard reading != .order else { return }
        filming.note(reading, of: stream, at: clock.now)
        close(&filming)
        filming.hasBroken = true
    }

    /// Opens a stream, unless an order comes before.
    ///
    /// - Returns: false when another camera has taken the place.
    private func open(_ filming: inout Filming) -> Bool {
        filming.avoided.removeOld(now: clock.now)
        guard let stream = reopen(filming.known, isPatient: filming.hasBroken, avoiding: &filming.avoided) else {
            return orders.current != .film
        }
        stream.takeBack(filming.owed, at: clock.now)
        filming.owed = []
        // Every format was tried: all are tried again.
        if filming.avoided.contains(stream.format, at: stream.path) { filming.avoided.removeAll() }
        filming.stream = stream
        return true
    }

    private enum Reading {
        case order, broken, gone, silent, undecodable
    }

    /// The open stream, and the results of earlier ones.
    private struct Filming {
        var stream: VideoStream?
        /// Whether the last stream broke. The next one is not begun at once: a camera that breaks again and again would
        /// keep the thread busy.
        var hasBroken = false
        /// Controls that a stream could not give back to the camera's regulation.
        var owed: [ControlSetting] = []
        /// The description of the camera that has delivered; nil while none has.
        var known: String?
        /// The format that has delivered, and does so again.
        var working: DeliveredFormat?
        /// Formats in which no frame came, or no frame that could be decoded.
        var avoided = AvoidedFormats()
        /// The camera and format that was silent before: some are slow once.
        var silent: (path: String, format: DeliveredFormat)?

        /// Notes the end of a stream.
        mutating func note(_ reading: Reading, of stream: VideoStream, at now: Duration) {
            let (path, format) = (stream.path, stream.format)
            let wasSilent = silent.map { $0 == (path, format) } == true
            silent = nil
            switch reading {
            case .order, .broken: break
            case .gone: avoided.removeAll()
            case .silent where format == working: break
            case .silent where !wasSilent: silent = (path, format)
            case .silent: avoided.insert(.silent, format, at: path, now: now)
            case .undecodable: avoided.insert(.undecodable, format, at: path, now: now)
            }
        }
    }

    /// Closes the stream, if one is open.
    private func close(_ filming: inout Filming) {
        mailbox.clear()
        guard let stream = filming.stream else { return }
        filming.owed = stream.close()
        mailbox.taken = filming.owed
        filming.stream = nil
    }

    /// - Returns: why it ended. Unless an order came the stream is over, and the mailbox has the trouble.
    private func read(_ stream: VideoStream) -> Reading {
        mailbox.begin()
        var pulse = Pulse(last: clock.now)
        while true {
            let rest = pulse.last + pulse.patience - clock.now
            guard rest > .zero else {
                mailbox.trouble = CameraFault.silent(stream.path, after: pulse.patience)
                return pulse.patience == CameraLoop.startPatience ? .silent : .broken
            }
            if let reason = mailbox.ailment(at: clock.now) {
                mailbox.trouble = CameraFault.undecodable(stream.path, stream.format, reason)
                return .undecodable
            }
            let event = stream.wait(orOrder: orders.number, within: rest)
            if event == .order { return .order }
            if event == .timeout { continue }
            do throws(SystemFailure) {
                try takeFrame(from: stream, after: event, &pulse)
            } catch {
                pulse.errors += 1
                // A single bad transfer does not end the stream, unless the driver reports that nothing will follow.
                // Linux 6.1 answers EINVAL, not ENODEV, when the camera was unplugged.
                if error.code == EIO, event == .frame, pulse.errors < CameraLoop.maximumReadErrors {
                    mailbox.undecoded("it cannot be read", at: clock.now)
                    continue
                }
                mailbox.trouble = CameraFault.error(error, at: stream.path, trying: "deliver frames")
                return error.code == ENODEV ? .gone : .broken
            }
        }
    }

    /// The deliveries of a stream so far.
    private struct Pulse {
        /// The time of the last frame; of the start before the first.
        var last: Duration
        var patience = CameraLoop.startPatience
        /// Read errors in a row.
        var errors = 0
    }

    private func takeFrame(
        from stream: VideoStream, after event: VideoEvent, _ pulse: inout Pulse
    ) throws(SystemFailure) {
        switch try stream.dequeue(at: clock.now) {
        case .frame(let buffer, let missed):
            pulse = Pulse(last: clock.now, patience: CameraLoop.patience)
            mailbox.put(buffer, missed: missed)
            mailbox.taken = stream.shiftExposure(by: orders.exposureShift, at: pulse.last)
        case .damaged:
            pulse.last = clock.now
            mailbox.undecoded("the driver calls it damaged", at: clock.now)
        case .nothing:
            // An error without a damaged buffer: the stream is over, and another read would spin.
            if event == .error { throw SystemFailure(EIO) }
        }
    }

    /// - Parameters:
    ///   - known: how the camera described itself; nil while none has delivered.
    ///   - isPatient: whether to wait before the first attempt, too.
    ///   - avoided: formats that are asked for when there is no other; forgotten when the camera is gone.
    /// - Returns: nil when an order came, or another camera has taken the place.
    private func reopen(_ known: String?, isPatient: Bool, avoiding avoided: inout AvoidedFormats) -> VideoStream? {
        let watch = DeviceWatch()
        var pause = isPatient ? pauses.lowerBound : .zero
        while true {
            watch.wait(orOrder: orders.number, within: pause)
            if orders.current != .film { return nil }
            do throws(FrameSourceError) {
                let (stream, passedOver) = try finder.start(again: known, avoiding: avoided)
                mailbox.count { $0.reopened += 1 }
                mailbox.pass(over: passedOver, formats: stream.passedOver)
                return stream
            } catch {
                if error.code == .notFound { avoided.removeAll() }
                if error.code == .exchanged {
                    mailbox.end(error)
                    return nil
                }
                mailbox.trouble = error
                pause = min(max(pause * 2, pauses.lowerBound), pauses.upperBound)
            }
        }
    }
}
