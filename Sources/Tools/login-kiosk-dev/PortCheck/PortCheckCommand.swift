// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Keypads

/// Checks the ports in the virtual machine of the device tests: the simulated chip of `Tests/devices/kpsim`, whose
/// keys are pressed through files, and the input device of `Tests/devices/tools/fakekeys.c`, which types the text of a
/// FIFO.
struct PortCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "portcheck", abstract: "Hold the devices of the device tests to the contracts of their ports.",
        discussion: "login-kiosk-dev portcheck lines | matrix | lamps | input SELECTOR FIFO")

    @Argument(help: "lines, matrix, lamps or input.") var port: String
    @Argument(help: "Of an input device: its selector, and the FIFO with its text.") var device: [String] = []

    func run() async throws {
        do {
            switch (port, device.count) {
            case ("lines", 0): try SimulatedChip.checkLines()
            case ("matrix", 0): try await SimulatedChip.checkMatrix()
            case ("lamps", 0): try await SimulatedChip.checkLamps()
            case ("input", 2):
                guard let selector = InputSelector(device[0]) else {
                    throw ValidationError("\(device[0]): no input device can have such a name")
                }
                try await SimulatedInput(selector: selector, fifo: device[1]).check()
            default: throw ValidationError("\(port): expected lines, matrix, lamps, or input with SELECTOR and FIFO")
            }
        } catch let error as ValidationError { throw error } catch {
            throw Complaint.make("\(error)", status: .internalError)
        }
        print("the contract is kept")
    }
}
