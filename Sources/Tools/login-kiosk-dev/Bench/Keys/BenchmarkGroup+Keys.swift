// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskPorts

extension BenchmarkGroup {
    private static let presses = 200
    /// The goal for key and screen together, in nanoseconds.
    private static let goal = 50e6

    /// The time from a key to the screen, with the whole program at a pseudo-terminal; and for pads at GPIO lines,
    /// the time from the contact to the press, with simulated lines.
    static let keys = BenchmarkGroup(name: "keys") {
        let terminal = try await KioskAtTerminal()
        var screen: [Double] = []
        for _ in 0..<presses { screen.append(try terminal.keyToScreen()) }
        var pad: [Double] = []
        let keys = try await PadAtLines()
        for _ in 0..<presses { pad.append(try await keys.contactToPress()) }
        return [
            Measurement("key of a terminal to screen", screen, figures: [figure(screen)]),
            Measurement("contact of a pad to key", pad, figures: [figure(pad)]),
            Measurement(
                "contact of a pad to screen", zip(pad, screen).map(+), figures: [figure(zip(pad, screen).map(+))]),
        ]
    }

    private static func figure(_ samples: [Double]) -> Figure {
        let late = samples.sorted()[samples.count * 99 / 100]
        let text = "99 of 100 within \(rounded(late)) ms" + (late <= goal ? "" : ", the goal is \(rounded(goal)) ms")
        return Figure(name: "p99_ns", value: late, text: text)
    }

    private static func rounded(_ nanoseconds: Double) -> Double { (nanoseconds / 1e5).rounded() / 10 }
}
