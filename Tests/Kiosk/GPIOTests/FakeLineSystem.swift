// SPDX-License-Identifier: Apache-2.0

import CGPIO
import Glibc
import KioskPorts
import KioskTestKit
import LinuxSystem
import Synchronization
@testable import GPIO

/// A fake kernel with GPIO chips. It decodes requests, and connects the first chip's lines to a ``FakeMatrix``, rows
/// first.
final class FakeLineSystem: LineSystem {
    struct FakeChip {
        var label: String
        var names: [String]
        /// The user of each line; none by default.
        var users: [Int: String] = [:]
        /// The error of opening.
        var failure: Int32?
    }

    private enum Open {
        case chip(String)
        case lines([Int])
    }

    private struct State {
        var chips: [String: FakeChip]
        var open: [Int32: Open] = [:]
        var next: Int32 = 1000
        var refusal: Int32?
    }

    let matrix: FakeMatrix
    private let state: Mutex<State>

    init(_ chips: [String: FakeChip], matrix: FakeMatrix) {
        self.matrix = matrix
        state = Mutex(State(chips: chips))
    }

    var openCount: Int { state.withLock { $0.open.count } }

    /// Sets the error of the next request for lines.
    func refuse(_ code: Int32) { state.withLock { $0.refusal = code } }

    func chips() -> [String] { state.withLock { $0.chips.keys.sorted() } }

    func open(_ path: String) throws(SystemFailure) -> Int32 {
        let result = state.withLock { state -> Result<Int32, SystemFailure> in
            guard let chip = state.chips[path] else { return .failure(SystemFailure(ENOENT)) }
            if let failure = chip.failure { return .failure(SystemFailure(failure)) }
            return .success(FakeLineSystem.add(.chip(path), to: &state))
        }
        return try result.get()
    }

    func close(_ number: Int32) {
        guard case .lines(let wires) = state.withLock({ $0.open.removeValue(forKey: number) }) else { return }
        matrix.release(wires)
    }

    func neverWait(_ number: Int32) {}

    func control<Argument>(_ number: Int32, _ request: UInt, _ argument: inout Argument) throws(SystemFailure) {
        guard let open = state.withLock({ $0.open[number] }) else { throw SystemFailure(EBADF) }
        switch (open, argument) {
        case (.chip(let path), var info as gpiochip_info) where request == cgpio_chip_info:
            let chip = state.withLock { $0.chips[path] }
            CText.write(chip?.label ?? "", into: &info.label)
            info.lines = UInt32(chip?.names.count ?? 0)
            put(info, &argument)
        case (.chip(let path), var info as gpio_v2_line_info) where request == cgpio_line_info:
            guard let chip = state.withLock({ $0.chips[path] }), Int(info.offset) < chip.names.count else {
                throw SystemFailure(EINVAL)
            }
            CText.write(chip.names[Int(info.offset)], into: &info.name)
            if let user = chip.users[Int(info.offset)] {
                CText.write(user, into: &info.consumer)
                info.flags = UInt64(GPIO_V2_LINE_FLAG_USED.rawValue)
            }
            put(info, &argument)
        case (.chip, var lines as gpio_v2_line_request) where request == cgpio_request_lines:
            if let refusal = state.withLock({ $0.refusal.take() }) { throw SystemFailure(refusal) }
            // Safe: the tuple is an array of numbers in C.
            let offsets = unsafe withUnsafeBytes(of: lines.offsets) { bytes in
                unsafe Array(bytes.bindMemory(to: UInt32.self).prefix(Int(lines.num_lines))).map(Int.init)
            }
            guard matrix.configure(offsets, Self.settings(lines.config, count: offsets.count)) else {
                throw SystemFailure(ENODEV)
            }
            lines.fd = state.withLock { FakeLineSystem.add(.lines(offsets), to: &$0) }
            put(lines, &argument)
        case (.lines(let wires), let config as gpio_v2_line_config) where request == cgpio_set_config:
            guard matrix.configure(wires, Self.settings(config, count: wires.count)) else {
                throw SystemFailure(ENODEV)
            }
        case (.lines(let wires), let values as gpio_v2_line_values) where request == cgpio_set_values:
            guard matrix.set(wires, values.bits & values.mask) else { throw SystemFailure(ENODEV) }
        case (.lines(let wires), var values as gpio_v2_line_values) where request == cgpio_get_values:
            guard let bits = matrix.values(wires) else { throw SystemFailure(ENODEV) }
            values.bits = bits & values.mask
            put(values, &argument)
        default: throw SystemFailure(ENOTTY)
        }
    }

    func wait(for number: Int32, within limit: Duration, orStop stop: Int32) -> WaitEvent {
        guard case .lines(let wires) = state.withLock({ $0.open[number] }) else { return .error }
        return switch matrix.wait(wires, within: limit, orStop: stop) {
        case .edges: .input
        case .nothing: .timeout
        case .stopped: .stop
        case nil: .error
        }
    }

    func read<Record: BitwiseCopyable>(
        _ number: Int32, of empty: Record, atMost limit: Int
    ) throws(SystemFailure) -> [Record] {
        guard case .lines(let wires) = state.withLock({ $0.open[number] }), let edges = matrix.takeEdges(wires) else {
            throw SystemFailure(ENODEV)
        }
        return edges.compactMap { edge in
            var event = gpio_v2_line_event()
            event.offset = UInt32(wires[edge.line])
            event.id =
                edge.isActive ? GPIO_V2_LINE_EVENT_RISING_EDGE.rawValue : GPIO_V2_LINE_EVENT_FALLING_EDGE.rawValue
            event.seqno = edge.sequence
            return event as? Record
        }
    }

    private static func add(_ open: Open, to state: inout State) -> Int32 {
        state.next += 1
        state.open[state.next] = open
        return state.next
    }

    private func put<Value, Argument>(_ value: Value, _ argument: inout Argument) {
        if let value = value as? Argument { argument = value }
    }

    /// Reads a configuration like the kernel: the first matching attribute of a kind counts, otherwise the default.
    private static func settings(_ config: gpio_v2_line_config, count: Int) -> [LineSettings] {
        // Safe: the tuple is an array of attributes in C.
        let attributes = unsafe withUnsafeBytes(of: config.attrs) { bytes in
            unsafe Array(bytes.bindMemory(to: gpio_v2_line_config_attribute.self).prefix(Int(config.num_attrs)))
        }
        return (0..<count).map { line in
            func attribute(_ id: gpio_v2_line_attr_id) -> gpio_v2_line_attribute? {
                attributes.first { $0.attr.id == id.rawValue && $0.mask >> line & 1 == 1 }?.attr
            }
            let flags = attribute(GPIO_V2_LINE_ATTR_ID_FLAGS)?.flags ?? config.flags
            func has(_ flag: gpio_v2_line_flag) -> Bool { flags & UInt64(flag.rawValue) != 0 }
            let isActiveLow = has(GPIO_V2_LINE_FLAG_ACTIVE_LOW)
            if has(GPIO_V2_LINE_FLAG_OUTPUT) {
                let values = attribute(GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES)?.values ?? 0
                let drive: LineSettings.Drive =
                    has(GPIO_V2_LINE_FLAG_OPEN_DRAIN)
                    ? .openDrain : has(GPIO_V2_LINE_FLAG_OPEN_SOURCE) ? .openSource : .pushPull
                return LineSettings(.output(isActive: values >> line & 1 == 1, drive), isActiveLow: isActiveLow)
            }
            let bias: LineSettings.Bias =
                has(GPIO_V2_LINE_FLAG_BIAS_PULL_UP)
                ? .pullUp : has(GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN) ? .pullDown : .disabled
            let debounce = attribute(GPIO_V2_LINE_ATTR_ID_DEBOUNCE)?.debounce_period_us ?? 0
            return LineSettings(
                .input(bias, edges: has(GPIO_V2_LINE_FLAG_EDGE_RISING), debounce: .microseconds(debounce)),
                isActiveLow: isActiveLow)
        }
    }
}
