// SPDX-License-Identifier: Apache-2.0

import Capture
import KioskPorts

/// The film of a simulated camera as frames, from its first one, drawn on request.
struct SimulatedFrameSource: FrameSource {
    let isLive = true
    let dropped: UInt64 = 0

    private let camera: PageCamera
    private var film: Film
    private var pacer: Pacer
    private var number = 0
    private var pixels: [UInt8] = []

    init(_ camera: PageCamera, clock: any FrameClock) {
        self.camera = camera
        film = Film(camera.settings)
        pacer = Pacer(rate: Double(camera.settings.rate), clock: clock)
    }

    mutating func lendNext(
        within limit: Duration, to body: (borrowing Frame) -> Void
    ) throws(FrameSourceError) -> FrameSourceAnswer {
        guard let instant = pacer.next(within: limit) else { return .nothing }
        film.shoot(camera.scene, frame: number, into: &pixels)
        number += 1
        let (width, height) = (camera.settings.width, camera.settings.height)
        // Safe: the array's bytes stay where they are during the call, and the frame cannot leave it.
        unsafe pixels.withUnsafeBufferPointer { bytes in
            unsafe body(Frame(borrowing: bytes, width: width, height: height, stride: width, captured: instant))
        }
        return .lent
    }
}
