// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LinuxSystem

/// Runs a keypad of the input system: opens selected devices as they come, reads them, and drops those that went.
/// Blocks, so it has a thread of its own.
struct InputRunner {
    /// The time between two searches while no device is there.
    private static let retry = Duration.seconds(2)
    /// The greatest number of devices for one selector: a pad has two or three nodes.
    private static let maximumDevices = 8

    let selector: InputSelector
    let system: any InputSystem
    let stop: Waker
    let tell: (KeypadReport) -> Void
    /// Called before keys come.
    let name: (KeyNames) -> Void
    /// Called for each device that comes or goes.
    let note: (KeypadChange) -> Void

    /// Runs until it is told to stop.
    func run() {
        let watch = system.watch()
        defer { if let watch { system.close(watch) } }
        var devices = InputDevices()
        var trouble: InputTrouble?
        var told: InputTrouble?
        var isAvailable = false
        search(&devices, &trouble)
        while !stop.isRaised {
            if devices.isEmpty, let trouble, trouble != told {
                tell(.unavailable("\(trouble)"))
                (told, isAvailable) = (trouble, false)
            } else if !devices.isEmpty, !isAvailable {
                name(devices.keyNames)
                tell(.available)
                (told, isAvailable) = (nil, true)
            }
            let heard = system.wait(
                for: [stop.descriptor] + [watch].compactMap(\.self) + devices.numbers,
                within: devices.isEmpty || watch == nil ? Self.retry : nil)
            for identity in devices.read(heard, tell) { note(KeypadChange(identity, isThere: false)) }
            if let watch, heard.contains(watch) { system.drain(watch) }
            if devices.isEmpty || watch.map(heard.contains) ?? true { search(&devices, &trouble) }
        }
    }

    /// Opens selected devices that are not open.
    private func search(_ devices: inout InputDevices, _ trouble: inout InputTrouble?) {
        trouble = devices.isEmpty ? .missing(selector) : nil
        for node in system.nodes() where !devices.contains(node) && devices.count < Self.maximumDevices {
            do throws(InputTrouble) {
                guard let device = try InputDevice.open(node, if: selector, system: system) else { continue }
                note(KeypadChange(device.identity, isThere: true))
                devices.add(device)
            } catch {
                trouble = error
            }
        }
    }
}
