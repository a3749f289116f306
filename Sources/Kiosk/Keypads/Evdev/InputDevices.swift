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

    var nextTick: Duration? { boxes.compactMap { $0.device.nextTick }.min() }

    func tick(at time: Duration, _ tell: (KeypadReport) -> Void) {
        for box in boxes { for report in box.device.tick(at: time) { tell(report) } }
    }

    func interrupt() { for box in boxes { box.device.interrupt() } }

    func contains(_ node: String) -> Bool { boxes.contains { $0.device.node == node } }

    mutating func add(_ device: consuming InputDevice) { boxes.append(Box(device)) }

    /// Reads devices that have reports, and drops those that are gone.
    ///
    /// - Returns: the dropped ones, and whether a device reports more than a hand can make.
    mutating func read(
        _ heard: Set<Int32>, _ tell: (KeypadReport) -> Void
    ) -> (gone: [InputIdentity], isFlooded: Bool) {
        var gone: [InputIdentity] = []
        var isFlooded = false
        boxes.removeAll { box in
            guard heard.contains(box.device.number) else { return false }
            do throws(SystemFailure) {
                let (reports, isMore) = try box.device.reports()
                for report in reports { tell(report) }
                isFlooded = isFlooded || isMore
                return false
            } catch {
                gone.append(box.device.identity)
                return true
            }
        }
        return (gone, isFlooded)
    }
}
