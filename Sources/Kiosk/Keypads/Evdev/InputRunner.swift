// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LinuxSystem

/// Runs a keypad of the input system: opens selected devices as they come, reads them, and drops those that went.
/// Blocks, so it has a thread of its own.
struct InputRunner {
    /// The time between two searches while no device is there.
    private static let retry = Duration.seconds(2)
    /// The pause after more reports than a hand can make: a device that floods takes no processor.
    private static let breath = Duration.milliseconds(4)

    let wish: InputWish
    let system: any InputSystem
    let stop: Waker
    let tell: (KeypadReport) -> Void
    /// Called before keys come.
    let name: (KeyNames) -> Void
    /// Called for each device that comes or goes.
    let note: (KeypadChange) -> Void

    /// The devices, and the last report about each.
    private struct State {
        var devices = InputDevices()
        var trouble: InputTrouble?
        var told: InputTrouble?
        var isAvailable = false
    }

    /// Runs until it is told to stop.
    func run() {
        let watch = system.watch()
        defer { if let watch { system.close(watch) } }
        // A panel that comes or goes.
        let changes = wish.screen.flatMap { _ in try? Waker() }
        wish.screen?.onPanelChange { changes?.raise() }
        defer {
            wish.screen?.onPanelChange(nil)
            wish.screen?.touchPanelChanged(isThere: false)
        }
        var state = State()
        search(&state)
        while !stop.isRaised {
            report(&state)
            let isBlind = state.devices.isEmpty || watch == nil
            let tick = state.devices.nextTick.map { max($0 - system.now(), .zero) }
            let heard = system.wait(
                for: [stop.descriptor] + [watch, changes?.descriptor].compactMap(\.self) + state.devices.numbers,
                within: [isBlind ? Self.retry : nil, tick].compactMap(\.self).min())
            changes?.lower()
            let (gone, isFlooded) = state.devices.read(heard, tell)
            for identity in gone { note(KeypadChange(identity, isThere: false)) }
            state.devices.tick(at: system.now(), tell)
            if isFlooded { stop.wait(within: Self.breath) }
            if let watch, heard.contains(watch) { system.drain(watch) }
            if state.devices.isEmpty || watch.map(heard.contains) ?? true { search(&state) }
        }
    }

    /// Reports a change of whether keys come.
    private func report(_ state: inout State) {
        wish.screen?.touchPanelChanged(isThere: !state.devices.isEmpty)
        let isShown = wish.screen?.isShown ?? true
        if !state.devices.isEmpty, isShown {
            guard !state.isAvailable else { return }
            name(state.devices.keyNames)
            tell(.available)
            (state.told, state.isAvailable) = (nil, true)
        } else if let trouble = state.devices.isEmpty ? state.trouble : .noPicture, trouble != state.told {
            if wish.screen != nil {
                // The first picture is still to come.
                let isExpected = trouble == .noPicture || wish.mayLack && trouble == wish.missing
                guard state.isAvailable || !isExpected else { return }
                state.devices.interrupt()
                name(wish.keyNames)
                // Another hand may touch what comes next.
                if state.isAvailable { tell(.keysLost("\(trouble)")) }
            }
            tell(.unavailable("\(trouble)"))
            (state.told, state.isAvailable) = (trouble, false)
        }
    }

    /// Opens selected devices that are not open.
    private func search(_ state: inout State) {
        state.trouble = state.devices.isEmpty ? wish.missing : nil
        for node in system.nodes() where !state.devices.contains(node) && state.devices.count < wish.mostDevices {
            do throws(InputTrouble) {
                guard let device = try InputDevice.open(node, if: wish, system: system) else { continue }
                note(KeypadChange(device.identity, isThere: true))
                state.devices.add(device)
            } catch {
                state.trouble = error
            }
        }
    }
}
