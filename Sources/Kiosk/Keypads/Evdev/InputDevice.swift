// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LinuxSystem

/// An open and grabbed keypad or touch panel: no other program can read it.
struct InputDevice: ~Copyable {
    /// The properties of a device that are read before it is grabbed.
    private struct Traits {
        let identity: InputIdentity
        let keyNames: KeyNames
        /// Nil for keys.
        let axes: TouchAxes?
    }

    /// The greatest number of reads before other devices are read.
    private static let readsAtOnce = 8

    let node: String
    let identity: InputIdentity
    let keyNames: KeyNames
    private let input: OpenInput
    private var reader: any InputReader

    var number: Int32 { input.number }

    /// Opens a node that is selected.
    ///
    /// - Returns: nil when the node is not selected, or is not a keypad.
    /// - Throws: when it is selected but cannot be used.
    static func open(
        _ node: String, if wish: InputWish, system: any InputSystem
    ) throws(InputTrouble) -> InputDevice? {
        let input: OpenInput
        do throws(SystemFailure) { input = OpenInput(system: system, number: try system.open(node)) } catch {
            // A device that may not be opened may be the selected one.
            if error.isForbidden { throw .unreadable(node, error) }
            return nil
        }
        guard let traits = try? traits(of: input, at: node, wish) else {
            system.close(input.number)
            return nil
        }
        do throws(SystemFailure) {
            try system.grab(input.number)
            return InputDevice(node: node, traits, input: input, reader: try reader(of: input, traits, wish))
        } catch {
            system.close(input.number)
            throw .notGrabbed(node, error)
        }
    }

    /// - Returns: nil for a device that is not selected, or is not a keypad.
    private static func traits(
        of input: OpenInput, at node: String, _ wish: InputWish
    ) throws(SystemFailure) -> Traits? {
        let identity = try input.system.identity(input.number)
        let keys = try input.system.knownKeys(input.number)
        guard wish.selector?.selects(identity, isAt: { input.system.leads($0, to: node) }) ?? true else { return nil }
        guard wish.screen != nil else {
            guard InputKeyMap.hasDigits(keys) else { return nil }
            return Traits(
                identity: identity, keyNames: InputKeyMap.names(of: keys, ofDevice: identity.name), axes: nil)
        }
        guard let axes = try input.system.touchAxes(input.number, keys) else { return nil }
        return Traits(identity: identity, keyNames: .touched, axes: axes)
    }

    private static func reader(
        of input: OpenInput, _ traits: Traits, _ wish: InputWish
    ) throws(SystemFailure) -> any InputReader {
        if let axes = traits.axes, let screen = wish.screen { return try TouchReader(axes, on: screen, of: input) }
        return InputDecoder(down: try input.system.keysDown(input.number))
    }

    private init(node: String, _ traits: Traits, input: OpenInput, reader: any InputReader) {
        self.node = node
        identity = traits.identity
        keyNames = traits.keyNames
        self.input = input
        self.reader = reader
    }

    deinit { input.system.close(input.number) }

    var nextTick: Duration? { reader.nextTick }

    mutating func tick(at time: Duration) -> [KeypadReport] { reader.tick(at: time) }

    mutating func interrupt() { reader.interrupt() }

    /// The reports of the device since the last call, and whether there may be more.
    ///
    /// - Throws: when it is gone.
    mutating func reports() throws(SystemFailure) -> (reports: [KeypadReport], isMore: Bool) {
        var reports: [KeypadReport] = []
        for _ in 0..<InputDevice.readsAtOnce {
            let events = try input.system.read(number)
            if events.isEmpty { return (reports, false) }
            for event in events { reports += try reader.read(event, of: input) }
        }
        return (reports, true)
    }
}
