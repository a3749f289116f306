// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Testing

@Test func aPressedDigitIsNeverPrinted() {
    let press = KeyPress(.digit(7))
    for text in ["\(press.key)", String(reflecting: press.key), String(describing: press), String(reflecting: press)] {
        #expect(!text.contains("7"))
    }
    var dumped = ""
    dump(press, to: &dumped)
    #expect(!dumped.contains("7"))
}
