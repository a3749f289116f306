// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostIntegration
import Keypads
import KioskPorts
import LinuxSystem

/// Checks that a person can press keys on the configured keypads.
enum KeypadProbe {
    private static let patience = Duration.seconds(3)

    /// One result a keypad; the terminal's if none is configured.
    static func check(_ configuration: KioskConfiguration) async -> [CheckResult] {
        let keypads = configuration.keypadSpecifications()
        var results: [CheckResult] = []
        for keypad in keypads.isEmpty ? [.console] : keypads { results.append(await check(keypad)) }
        let mayDraw = configuration[\.screen.display] != nil
        if keypads.isEmpty, mayDraw, InputDescription.all().contains(where: \.isTouchPanel) {
            results.append(await check(.touch(nil)))
        }
        return results
    }

    private static func check(_ keypad: KeypadSpecification) async -> CheckResult {
        switch keypad {
        case .console:
            ConsoleKeypadCheck.result(
                devices: InputDevices.list, keepsNumLock: ConsoleKeypad.keepsNumLock())
        case .script(let file): script(file)
        case .evdev(let selector): await listen(EvdevKeypad(selector), keypad)
        case .touch(let selector): await listen(EvdevKeypad(touch: selector, on: BarePanel()), keypad)
        case .gpio(let settings): await listen(GPIOMatrixKeypad(settings), keypad)
        }
    }

    private static func script(_ file: String) -> CheckResult {
        let text: String
        do throws(FileFault) {
            text = String(decoding: try OpenedFile.read(file, upTo: KeyScript.maximumLength), as: UTF8.self)
        } catch {
            return .failure("the script of keys cannot be read: \(error)", remedy: error.hint)
        }
        do { _ = try KeyScript(text) } catch {
            return .failure("\(file): \(error)", remedy: "docs/kiosk.md has the grammar")
        }
        return .warning(
            "keys come from the script \(file), not from a person", remedy: "for tests only: remove the keypad")
    }

    /// Opens the keypad and closes it again.
    private static func listen(_ keypad: any Keypad, _ specification: KeypadSpecification) async -> CheckResult {
        await Timekeeper(ContinuousClock()).limit(patience) {
            for await report in keypad.reports() {
                switch report {
                case .available: return .ok("\(specification) is there")
                case .unavailable(let reason): return result(reason, specification)
                case .pressed, .keysLost, .trouble: continue
                }
            }
            return result("it does not answer", specification)
        }
    }

    private static func result(_ reason: String, _ specification: KeypadSpecification) -> CheckResult {
        let isTaken = reason.contains("in use") || reason.contains("another program")
        if isTaken, ScannerCheck.isRunningElsewhere { return .ok("\(specification) is in use, and a kiosk is running") }
        return .failure("\(specification): \(reason)", remedy: "see which keypads are there: login-kiosk devices")
    }
}
