// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskPorts
import LinuxSystem
import Synchronization
@testable import Keypads

/// A fake kernel with input devices. They come and go, and other programs may have grabbed them.
final class FakeInputSystem: InputSystem {
    struct Device {
        var identity: InputIdentity
        var links: [String] = []
        var keys: Set<UInt16>
        var down: Set<UInt16> = []
        var isGrabbed = false
        var refusal: Int32?
        /// Nil for a device that is no touch panel.
        var axes: TouchAxes?
        var snapshot = TouchSnapshot()
        var udevRecord: String?
    }

    private struct State {
        var devices: [String: Device] = [:]
        var open: [Int32: String] = [:]
        var next: Int32 = 1000
        var events: [String: [InputEvent]] = [:]
        var time = Duration.zero
        var hasNews = false
        /// Reports without end.
        var floods: [String: (next: Int, reports: @Sendable (Int) -> [InputEvent.Kind])] = [:]
        var grabs: Set<Int32> = []
    }

    private static let watchNumber: Int32 = 999
    private let state = Mutex(State())

    /// Nodes that any program reads.
    var openNodes: Set<String> { state.withLock { Set($0.open.values) } }

    func plug(_ node: String, _ device: Device) {
        state.withLock { state in
            state.devices[node] = device
            state.hasNews = true
        }
    }

    func unplug(_ node: String) {
        state.withLock { state in
            state.devices[node] = nil
            state.events[node] = nil
            state.hasNews = true
        }
    }

    /// Lets time pass without an event.
    func pass(_ time: Duration) { state.withLock { $0.time += time } }

    func isGrabbed(_ node: String) -> Bool { state.withLock { $0.devices[node]?.isGrabbed == true } }

    /// Makes a device report the next of its events, one a millisecond, as often as it is read.
    func flood(_ node: String, _ reports: @escaping @Sendable (Int) -> [InputEvent.Kind]) {
        state.withLock { $0.floods[node] = (0, reports) }
    }

    /// The true state of a touch panel from now on.
    func set(_ snapshot: TouchSnapshot, of node: String) { state.withLock { $0.devices[node]?.snapshot = snapshot } }

    /// Makes another program release a device. A change of its permissions announces that.
    func release(_ node: String) {
        state.withLock { state in
            state.devices[node]?.isGrabbed = false
            state.devices[node]?.refusal = nil
            state.hasNews = true
        }
    }

    /// - Parameter pause: the time since the previous event.
    func happen(_ kinds: [InputEvent.Kind], on node: String, after pause: Duration = .milliseconds(50)) {
        state.withLock { state in
            state.time += pause
            for kind in kinds {
                if case .key(let code, let isDown) = kind {
                    if isDown { state.devices[node]?.down.insert(code) } else { state.devices[node]?.down.remove(code) }
                }
                // As in the kernel, a program gets what happens after it opened the device.
                guard state.open.values.contains(node) else { continue }
                state.events[node, default: []].append(InputEvent(kind: kind, time: state.time))
            }
        }
    }

    /// Presses and releases a key.
    func press(_ code: Int32, on node: String, after pause: Duration = .milliseconds(50)) {
        happen([.key(UInt16(code), isDown: true), .complete], on: node, after: pause)
        happen([.key(UInt16(code), isDown: false), .complete], on: node, after: .milliseconds(1))
    }

    func nodes() -> [String] { state.withLock { $0.devices.keys.sorted() } }

    func leads(_ path: String, to node: String) -> Bool {
        state.withLock { path == node || $0.devices[node]?.links.contains(path) == true }
    }

    func links(to node: String) -> [String] { state.withLock { $0.devices[node]?.links ?? [] } }

    func open(_ node: String) throws(SystemFailure) -> Int32 {
        let result = state.withLock { state -> Result<Int32, SystemFailure> in
            guard let device = state.devices[node] else { return .failure(SystemFailure(ENOENT)) }
            if let refusal = device.refusal { return .failure(SystemFailure(refusal)) }
            state.next += 1
            state.open[state.next] = node
            return .success(state.next)
        }
        return try result.get()
    }

    func close(_ number: Int32) {
        state.withLock { state in
            guard let node = state.open.removeValue(forKey: number) else { return }
            // Reports that were not read go with the descriptor.
            if !state.open.values.contains(node) { state.events[node] = nil }
            if state.grabs.remove(number) != nil { state.devices[node]?.isGrabbed = false }
        }
    }

    func identity(_ number: Int32) throws(SystemFailure) -> InputIdentity { try device(number).identity }
    func knownKeys(_ number: Int32) throws(SystemFailure) -> Set<UInt16> { try device(number).keys }
    func touchAxes(_ number: Int32, _ keys: Set<UInt16>) throws(SystemFailure) -> TouchAxes? { try device(number).axes }
    func touchSnapshot(_ number: Int32, _ axes: TouchAxes) throws(SystemFailure) -> TouchSnapshot {
        try device(number).snapshot
    }
    func udevRecord(_ number: Int32) -> String? { (try? device(number))?.udevRecord }
    func now() -> Duration { state.withLock { $0.time } }
    func keysDown(_ number: Int32) throws(SystemFailure) -> Set<UInt16> { try device(number).down }

    func grab(_ number: Int32) throws(SystemFailure) {
        guard try !device(number).isGrabbed else { throw SystemFailure(EBUSY) }
        state.withLock { state in
            guard let node = state.open[number] else { return }
            state.devices[node]?.isGrabbed = true
            state.grabs.insert(number)
        }
    }

    func read(_ number: Int32) throws(SystemFailure) -> [InputEvent] {
        _ = try device(number)
        return state.withLock { state in
            guard let node = state.open[number] else { return [] }
            if var flood = state.floods[node] {
                defer { state.floods[node] = flood }
                return (0..<16).flatMap { _ in
                    state.time += .milliseconds(1)
                    flood.next += 1
                    return flood.reports(flood.next).map { InputEvent(kind: $0, time: state.time) }
                }
            }
            return state.events.removeValue(forKey: node) ?? []
        }
    }

    func watch() -> Int32? { Self.watchNumber }
    func drain(_ watch: Int32) { state.withLock { $0.hasNews = false } }

    func wait(for numbers: [Int32], within limit: Duration?) -> Set<Int32> {
        // Wakers have numbers of real files.
        var wakers = numbers.filter { $0 < Self.watchNumber }.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // Safe: a local array with its own count.
        let count = unsafe wakers.withUnsafeMutableBufferPointer { list in
            unsafe poll(list.baseAddress, nfds_t(list.count), 1)
        }
        if count > 0 { return Set(wakers.filter { $0.revents != 0 }.map(\.fd)) }
        return state.withLock { state in
            var heard: Set<Int32> = state.hasNews ? [Self.watchNumber] : []
            for (number, node) in state.open where numbers.contains(number) {
                let hasReports = state.floods[node] != nil || state.events[node]?.isEmpty == false
                if state.devices[node] == nil || hasReports { heard.insert(number) }
            }
            return heard
        }
    }

    private func device(_ number: Int32) throws(SystemFailure) -> Device {
        guard let device = state.withLock({ state in state.open[number].flatMap { state.devices[$0] } }) else {
            throw SystemFailure(ENODEV)
        }
        return device
    }
}
