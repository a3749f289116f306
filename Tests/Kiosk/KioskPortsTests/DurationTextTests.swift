// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Testing

@Suite struct DurationTextTests {
    @Test(arguments: [
        (Duration.zero, "0 s"), (.seconds(10), "10 s"), (.milliseconds(500), "0.5 s"), (.milliseconds(-250), "-0.3 s"),
        (.nanoseconds(5_555_676_160), "5.6 s"), (.milliseconds(9_960), "10 s"), (.milliseconds(12_400), "12 s"),
        (.milliseconds(4), "0 s"), (.seconds(180), "180 s"),
    ])
    func peopleReadOneDecimal(duration: Duration, text: String) { #expect(duration.text == text) }
}
