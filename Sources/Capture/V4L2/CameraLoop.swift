// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskCore

/// The reading thread's work: keeps the newest frame in the mailbox, and opens the camera again when it has gone, is
/// silent or fails.
struct CameraLoop: Sendable {
    /// A camera that delivers nothing for that long is opened again.
    static let patience = Duration.seconds(2)
    /// Between attempts to open the camera: doubled from the first to the last. A camera that returns is noticed at once.
    private static let pauses = Duration.milliseconds(250)...Duration.seconds(2)
    /// Read errors in a row until the stream counts as broken.
    private static let maximumReadErrors = 8

    let finder: CameraFinder
    let mailbox: CameraMailbox
    let clock: any FrameClock
    let stop: Int32

    /// - Parameter first: the stream that was opened on the caller's thread.
    func run(_ first: VideoStream) {
        let identity = first.identity
        var stream: VideoStream? = first
        while let current = stream {
            let isStopped = read(current)
            current.close()
            mailbox.clear()
            stream = isStopped ? nil : reopen(identity)
        }
    }

    /// - Returns: whether the word to stop came; otherwise the stream is over and the mailbox knows why.
    private func read(_ stream: VideoStream) -> Bool {
        var heard = clock.now
        var errors = 0
        while true {
            let rest = heard + CameraLoop.patience - clock.now
            guard rest > .zero else {
                mailbox.trouble = CameraFault.silent(stream.path, after: CameraLoop.patience)
                return false
            }
            let event = stream.wait(orStop: stop, within: rest)
            if event == .stop { return true }
            if event == .timeout { continue }
            do throws(SystemFailure) {
                switch try stream.dequeue(at: clock.now) {
                case .frame(let buffer, let missed):
                    heard = clock.now
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
                // One bad transfer is no reason to begin anew, unless the driver says that nothing will follow. Linux 6.1
                // answers EINVAL, not ENODEV, when the camera was unplugged.
                if error.code == EIO, event == .frame, errors < CameraLoop.maximumReadErrors {
                    mailbox.count { $0.damaged += 1 }
                    continue
                }
                mailbox.trouble = CameraFault.error(error, at: stream.path, trying: "deliver frames")
                return false
            }
        }
    }

    /// - Returns: nil when the word to stop came, or another camera has taken the place.
    private func reopen(_ identity: CameraIdentity) -> VideoStream? {
        let watch = DeviceWatch()
        var pause = CameraLoop.pauses.lowerBound
        while true {
            watch.wait(orStop: stop, within: pause)
            if Poll.isReadable(stop, within: .zero) { return nil }
            do throws(FrameSourceError) {
                let device = try finder.open(again: identity)
                guard device.identity.isSameCamera(as: identity) else {
                    mailbox.end(CameraFault.exchanged(finder.request.place, identity, device.identity))
                    return nil
                }
                let stream = try VideoStream(starting: device, finder.request.settings)
                mailbox.count { $0.reopened += 1 }
                return stream
            } catch {
                mailbox.trouble = error
                pause = min(pause * 2, CameraLoop.pauses.upperBound)
            }
        }
    }
}
