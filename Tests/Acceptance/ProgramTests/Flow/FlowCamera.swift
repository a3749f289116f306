// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import SimulatedCamera
import Synchronization

/// A camera that films a script's pictures to a named pipe until it is stopped.
final class FlowCamera: Sendable {
    private static let (width, height, rate) = (640, 480, 10)

    /// The source for the scanner.
    let source: String
    private let scene: Mutex<Picture>
    private let isStopped = Mutex(false)

    private static var wall: Picture { Picture(width: width, height: height, shade: 160) }

    init(in scratch: Scratch) throws {
        let path = scratch.path("camera.y4m")
        guard unsafe mkfifo(path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
        source = "y4m:\(path)"
        scene = Mutex(FlowCamera.wall)
        // For reading too, so that it opens before the scanner does, and outlives each scanner.
        let pipe = unsafe open(path, O_RDWR | O_CLOEXEC)
        guard pipe >= 0 else { throw CocoaError(.fileReadUnknown) }
        Thread.detachNewThread { [self] in film(to: pipe) }
    }

    /// Shows a picture in the middle of the frame, or nothing.
    func show(_ picture: Picture?) {
        var whole = FlowCamera.wall
        if let picture {
            whole.draw(
                picture, x: (FlowCamera.width - picture.width) / 2, y: (FlowCamera.height - picture.height) / 2)
        }
        scene.withLock { [whole] in $0 = whole }
    }

    func stop() { isStopped.withLock { $0 = true } }

    private func film(to pipe: Int32) {
        var writer = Y4MWriter(
            Descriptor(owning: pipe), width: FlowCamera.width, height: FlowCamera.height, rate: FlowCamera.rate)
        var goesOn = true
        while goesOn {
            let picture = scene.withLock { $0 }
            goesOn = picture.withFrame(captured: .zero) { frame in
                writer.write(frame) { isStopped.withLock { $0 } }
            }
            usleep(useconds_t(1_000_000 / FlowCamera.rate))
        }
    }
}
