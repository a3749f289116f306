// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LinuxSystem

/// An open and grabbed keypad or touch panel: no other program can read it.
struct InputDevice: ~Copyable {
    let node: String
    let number: Int32
    let keyNames: KeyNames
    let identity: InputIdentity
    private let system: any InputSystem
    private var reader: any InputReader
    /// The greatest number of reads before other devices are read.
    private static let readsAtOnce = 8

    /// Opens a node that is selected.
    ///
    /// - Returns: nil when the node is not selected, or is no keypad.
    /// - Throws: when it is selected but cannot be used.
    static func open(
        _ node: String, if wish: InputWish, system: any InputSystem
    ) throws(InputTrouble) -> InputDevice? {
        let number: Int32
        do throws(SystemFailure) { number = try system.open(node) } catch {
            // A device that may not be opened may be the selected one.
            if error.isForbidden { throw .unreadable(node, error) }
            return nil
        }
        let (identity, names): (InputIdentity, KeyNames)
        var axes: TouchAxes?
        do throws(SystemFailure) {
            let keys: Set<UInt16>
            (identity, keys) = (try system.identity(number), try system.knownKeys(number))
            if wish.screen != nil { axes = try system.touchAxes(number, keys) }
            let isSelected = wish.selector?.selects(identity, isAt: { system.leads($0, to: node) }) ?? true
            guard isSelected, axes != nil || wish.screen == nil && InputKeyMap.hasDigits(keys) else {
                system.close(number)
                return nil
            }
            names = axes == nil ? InputKeyMap.names(of: keys, ofDevice: identity.name) : .touched
        } catch {
            system.close(number)
            return nil
        }
        do throws(SystemFailure) {
            try system.grab(number)
            let device = OpenInput(system: system, number: number)
            let reader: any InputReader
            if let axes, let screen = wish.screen {
                reader = try TouchReader(axes, on: screen, of: device)
            } else {
                reader = InputDecoder(down: try system.keysDown(number))
            }
            return InputDevice(
                node: node, number: number, keyNames: names, identity: identity, system: system, reader: reader)
        } catch {
            system.close(number)
            throw .notGrabbed(node, error)
        }
    }

    private init(
        node: String, number: Int32, keyNames: KeyNames, identity: InputIdentity, system: any InputSystem,
        reader: any InputReader
    ) {
        self.node = node
        self.number = number
        self.keyNames = keyNames
        self.identity = identity
        self.system = system
        self.reader = reader
    }

    deinit { system.close(number) }

    var nextTick: Duration? { reader.nextTick }

    mutating func tick(at time: Duration) -> [KeypadReport] { reader.tick(at: time) }

    mutating func interrupt() { reader.interrupt() }

    /// The reports of the device since the last call, and whether there may be more.
    ///
    /// - Throws: when it is gone.
    mutating func reports() throws(SystemFailure) -> (reports: [KeypadReport], isMore: Bool) {
        var reports: [KeypadReport] = []
        let device = OpenInput(system: system, number: number)
        for _ in 0..<InputDevice.readsAtOnce {
            let events = try system.read(number)
            if events.isEmpty { return (reports, false) }
            for event in events { reports += try reader.read(event, of: device) }
        }
        return (reports, true)
    }
}
