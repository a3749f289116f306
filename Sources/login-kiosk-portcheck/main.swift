// SPDX-License-Identifier: Apache-2.0

// Holds real devices to the contracts of their ports, in the virtual machine of the device tests: the simulated chip of
// `Tests/devices/kpsim`, whose keys are pressed through files, and the input device of `Tests/devices/tools/fakekeys.c`, which
// is told through a FIFO what to type.
//
//     login-kiosk-portcheck lines | matrix | lamps | input SELECTOR FIFO
import Glibc
import Keypads
import LinuxSystem

ProgramStart.prepare()

let arguments = CommandLine.arguments.dropFirst()
do {
    switch (arguments.first, arguments.count) {
    case ("lines", 1): try SimulatedChip.checkLines()
    case ("matrix", 1): try await SimulatedChip.checkMatrix()
    case ("lamps", 1): try await SimulatedChip.checkLamps()
    case ("input", 3):
        guard let selector = InputSelector(arguments[2]) else { exit(64) }
        try await SimulatedInput(selector: selector, fifo: arguments[3]).check()
    default:
        print("usage: login-kiosk-portcheck lines | matrix | lamps | input SELECTOR FIFO")
        exit(64)
    }
    print("the contract is kept")
} catch {
    print("\(error)")
    exit(1)
}
