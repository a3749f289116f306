// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LinuxSystem

/// The open devices. Each owns its descriptor, so the list holds them in boxes.
struct InputDevices {
    private final class Box {
        var device: InputDevice

        init(_ device: consuming InputDevice) { self.device = device }
    }

    private var boxes: [Box] = []

    var isEmpty: Bool { boxes.isEmpty }
    var count: Int { boxes.count }
    var keyNames: KeyNames { KeyNames(merging: boxes.map { $0.device.keyNames }) }
    var numbers: [Int32] { boxes.map { $0.device.number } }

    func contains(_ node: String) -> Bool { boxes.contains { $0.device.node == node } }

    mutating func add(_ device: consuming InputDevice) { boxes.append(Box(device)) }

    /// Reads devices that have reports, and drops those that are gone.
    ///
    /// - Returns: the dropped ones.
    mutating func read(_ heard: Set<Int32>, _ tell: (KeypadReport) -> Void) -> [InputIdentity] {
        var gone: [InputIdentity] = []
        boxes.removeAll { box in
            guard heard.contains(box.device.number) else { return false }
            do throws(SystemFailure) {
                for report in try box.device.reports() { tell(report) }
                return false
            } catch {
                gone.append(box.device.identity)
                return true
            }
        }
        return gone
    }
}
