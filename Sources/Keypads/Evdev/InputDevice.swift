// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A keypad that is open and grabbed: no other program hears it.
struct InputDevice: ~Copyable {
    let node: String
    let number: Int32
    private let system: any InputSystem
    private var decoder: InputDecoder

    /// Opens a node that is selected.
    ///
    /// - Returns: nil when it is not the one, or no keypad.
    /// - Throws: when it is the one and cannot be had.
    static func open(
        _ node: String, if selector: InputSelector, system: any InputSystem
    ) throws(InputTrouble) -> InputDevice? {
        let number: Int32
        do throws(InputFailure) { number = try system.open(node) } catch {
            // A device that may not be opened may be the one.
            if error.isForbidden { throw .unreadable(node, error) }
            return nil
        }
        do throws(InputFailure) {
            guard selector.selects(try system.identity(number), isAt: { system.leads($0, to: node) }),
                InputKeyMap.hasDigits(try system.knownKeys(number))
            else {
                system.close(number)
                return nil
            }
        } catch {
            system.close(number)
            return nil
        }
        do throws(InputFailure) {
            try system.grab(number)
            return InputDevice(
                node: node, number: number, system: system, decoder: InputDecoder(down: try system.keysDown(number)))
        } catch {
            system.close(number)
            throw .notGrabbed(node, error)
        }
    }

    private init(node: String, number: Int32, system: any InputSystem, decoder: InputDecoder) {
        self.node = node
        self.number = number
        self.system = system
        self.decoder = decoder
    }

    deinit { system.close(number) }

    /// What the device has said since.
    ///
    /// - Throws: when it is gone.
    mutating func reports() throws(InputFailure) -> [KeypadReport] {
        var reports: [KeypadReport] = []
        while case let events = try system.read(number), !events.isEmpty {
            for event in events {
                let report = try decoder.decode(event) { () throws(InputFailure) in try system.keysDown(number) }
                if let report { reports.append(report) }
            }
        }
        return reports
    }
}
