// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LinuxSystem

/// An open and grabbed keypad: no other program can read it.
struct InputDevice: ~Copyable {
    let node: String
    let number: Int32
    let keyNames: KeyNames
    let identity: InputIdentity
    private let system: any InputSystem
    private var decoder: InputDecoder

    /// Opens a node that is selected.
    ///
    /// - Returns: nil when it is another one, or no keypad.
    /// - Throws: when it is selected but cannot be used.
    static func open(
        _ node: String, if selector: InputSelector, system: any InputSystem
    ) throws(InputTrouble) -> InputDevice? {
        let number: Int32
        do throws(SystemFailure) { number = try system.open(node) } catch {
            // A device that may not be opened may be the selected one.
            if error.isForbidden { throw .unreadable(node, error) }
            return nil
        }
        let (identity, names): (InputIdentity, KeyNames)
        do throws(SystemFailure) {
            let keys: Set<UInt16>
            (identity, keys) = (try system.identity(number), try system.knownKeys(number))
            guard selector.selects(identity, isAt: { system.leads($0, to: node) }), InputKeyMap.hasDigits(keys) else {
                system.close(number)
                return nil
            }
            names = InputKeyMap.names(of: keys, ofDevice: identity.name)
        } catch {
            system.close(number)
            return nil
        }
        do throws(SystemFailure) {
            try system.grab(number)
            return InputDevice(
                node: node, number: number, keyNames: names, identity: identity, system: system,
                decoder: InputDecoder(down: try system.keysDown(number)))
        } catch {
            system.close(number)
            throw .notGrabbed(node, error)
        }
    }

    private init(
        node: String, number: Int32, keyNames: KeyNames, identity: InputIdentity, system: any InputSystem,
        decoder: InputDecoder
    ) {
        self.node = node
        self.number = number
        self.keyNames = keyNames
        self.identity = identity
        self.system = system
        self.decoder = decoder
    }

    deinit { system.close(number) }

    /// The reports of the device since the last call.
    ///
    /// - Throws: when it is gone.
    mutating func reports() throws(SystemFailure) -> [KeypadReport] {
        var reports: [KeypadReport] = []
        while case let events = try system.read(number), !events.isEmpty {
            for event in events {
                let report = try decoder.decode(event) { () throws(SystemFailure) in try system.keysDown(number) }
                if let report { reports.append(report) }
            }
        }
        return reports
    }
}
