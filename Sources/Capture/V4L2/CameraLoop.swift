// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskPorts

/// The reading thread's work: keeps the newest frame in the mailbox, and opens the camera again when it has gone, is
/// silent or fails, or was closed for a rest.
struct CameraLoop: Sendable {
    /// A camera that delivers nothing for that long is opened again.
    static let patience = Duration.seconds(2)
    /// The same, before its first frame: to wake up and to measure the light takes some cameras seconds.
    static let startPatience = Duration.seconds(5)
    /// Between attempts to open the camera: doubled from the first to the last. A camera that returns is
    /// noticed at once.
    private static let pauses = Duration.milliseconds(250)...Duration.seconds(2)
    /// A rest ends with an order; that is looked for as often as this, too.
    private static let restingPause = Duration.seconds(60)
    /// Read errors in a row until the stream counts as broken.
    private static let maximumReadErrors = 8

    let finder: CameraFinder
    let mailbox: CameraMailbox
    let clock: any FrameClock
    let orders: CameraOrders

    /// - Parameter first: the stream that was opened on the caller's thread.
    func run(_ first: VideoStream) {
        let known = first.identity.description
        var stream: VideoStream? = first
        // A stream that broke is not begun anew at once: a camera that breaks again and again would keep
        // the thread busy.
        var hasBroken = false
        while true {
            switch orders.heard() {
            case .leave:
                close(stream)
                return
            case .rest:
                close(stream)
                (stream, hasBroken) = (nil, false)
                _ = Poll.events(on: [orders.number], within: CameraLoop.restingPause)
            case .film:
                if let current = stream {
                    if read(current) { continue }
                    close(current)
                    (stream, hasBroken) = (nil, true)
                } else {
                    stream = reopen(known, isPatient: hasBroken)
                    if stream == nil, orders.current == .film { return }
                }
            }
        }
    }

    private func close(_ stream: VideoStream?) {
        mailbox.clear()
        stream?.close()
    }

    /// - Returns: whether an order came; otherwise the stream is over and the mailbox knows why.
    private func read(_ stream: VideoStream) -> Bool {
        var heard = clock.now
        var patience = CameraLoop.startPatience
        var errors = 0
        while true {
            let rest = heard + patience - clock.now
            guard rest > .zero else {
                mailbox.trouble = CameraFault.silent(stream.path, after: patience)
                return false
            }
            let event = stream.wait(orOrder: orders.number, within: rest)
            if event == .order { return true }
            if event == .timeout { continue }
            do throws(SystemFailure) {
                switch try stream.dequeue(at: clock.now) {
                case .frame(let buffer, let missed):
                    (heard, patience) = (clock.now, CameraLoop.patience)
                    errors = 0
                    mailbox.put(buffer, missed: missed)
                case .damaged:
                    heard = clock.now
                    mailbox.count { $0.damaged += 1 }
                case .nothing:
                    // An error that no buffer tells of: the stream is over, and asking again would spin.
                    if event == .error { throw SystemFailure(EIO) }
                }
            } catch {
                errors += 1
                // One bad transfer is no reason to begin anew, unless the driver says that nothing will follow. Linux
                // 6.1 answers EINVAL, not ENODEV, when the camera was unplugged.
                if error.code == EIO, event == .frame, errors < CameraLoop.maximumReadErrors {
                    mailbox.count { $0.damaged += 1 }
                    continue
                }
                mailbox.trouble = CameraFault.error(error, at: stream.path, trying: "deliver frames")
                return false
            }
        }
    }

    /// - Parameters:
    ///   - known: how the camera described itself.
    ///   - isPatient: whether to wait before the first attempt, too.
    /// - Returns: nil when an order came, or another camera has taken the place.
    private func reopen(_ known: String, isPatient: Bool) -> VideoStream? {
        let watch = DeviceWatch()
        var pause = isPatient ? CameraLoop.pauses.lowerBound : .zero
        while true {
            watch.wait(orOrder: orders.number, within: pause)
            if orders.current != .film { return nil }
            do throws(FrameSourceError) {
                let stream = try VideoStream(starting: try finder.open(again: known), finder.request.settings)
                mailbox.count { $0.reopened += 1 }
                return stream
            } catch {
                if error.code == .exchanged {
                    mailbox.end(error)
                    return nil
                }
                mailbox.trouble = error
                pause = min(max(pause * 2, CameraLoop.pauses.lowerBound), CameraLoop.pauses.upperBound)
            }
        }
    }
}
