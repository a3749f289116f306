// SPDX-License-Identifier: Apache-2.0

// Checks a real GPIO chip against the contract of the port, in the virtual machine of the device tests: the simulated pad
// of `Tests/devices/kpsim`, whose keys are pressed through files.
import GPIO
import Glibc
import KioskCore
import KioskTestKit

let pad = "/sys/bus/platform/devices/kpsim.0/"

func press(_ isClosed: Bool) {
    guard let file = unsafe fopen(pad + (isClosed ? "press" : "release"), "w") else { return }
    // Safe: the file is open until here, and the text lent for the call.
    unsafe fputs("0 0", file)
    unsafe fclose(file)
}

do {
    try LineBankContract<LineRequest> { wires, settings throws(LineError) in
        let addresses = wires.map { wire in
            switch wire {
            case .row(let index): LineAddress.named("KP_ROW\(index)")
            case .column(let index): LineAddress.named("KP_COL\(index)")
            }
        }
        return try ChipFinder().request(addresses, on: .usual, settings, user: "linecheck")
    } press: {
        press($0)
    }.check()
    print("the chip keeps the contract")
} catch {
    print("\(error)")
    exit(1)
}
