// SPDX-License-Identifier: Apache-2.0

import CGPIO
public import KioskPorts
import LinuxSystem

/// Lines of a chip, lent by the kernel: its `gpio_v2_line_request`. Destroying the value releases them.
public struct LineRequest: LineBank, ~Copyable {
    /// The number of edges in one read; the kernel keeps 16 for each line.
    private static let edgesAtOnce = 64

    private let number: Int32
    private let path: String
    private let offsets: [UInt32]
    private let system: any LineSystem

    init(owning number: Int32, of path: String, offsets: [UInt32], system: any LineSystem) {
        self.number = number
        self.path = path
        self.offsets = offsets
        self.system = system
        system.neverWait(number)
    }

    deinit { system.close(number) }

    private var mask: UInt64 { offsets.count == 64 ? .max : (1 << UInt64(offsets.count)) - 1 }

    public mutating func configure(_ lines: [LineSettings]) throws(LineError) {
        guard lines.count == offsets.count, let configuration = LineConfiguration(lines) else {
            throw LineError(
                .refused, at: path, problem: "\(lines.count) settings do not fit \(offsets.count) lines",
                remedy: "give every line its own")
        }
        var config = configuration.config
        try control(cgpio_set_config, &config)
    }

    public mutating func set(_ active: UInt64) throws(LineError) {
        var values = gpio_v2_line_values(bits: active, mask: mask)
        try control(cgpio_set_values, &values)
    }

    public mutating func values() throws(LineError) -> UInt64 {
        var values = gpio_v2_line_values(bits: 0, mask: mask)
        try control(cgpio_get_values, &values)
        return values.bits & mask
    }

    public mutating func wait(within limit: Duration, orStop stop: Int32) throws(LineError) -> LineWait {
        switch system.wait(for: number, within: limit, orStop: stop) {
        case .input: return .edges
        case .timeout: return .nothing
        case .stop: return .stopped
        case .error: throw LineError(using: path, .chipGone)
        }
    }

    public mutating func takeEdges() throws(LineError) -> [LineEdge] {
        let events: [gpio_v2_line_event]
        do throws(SystemFailure) {
            events = try system.read(number, of: gpio_v2_line_event(), atMost: LineRequest.edgesAtOnce)
        } catch {
            throw LineError(using: path, error)
        }
        return events.compactMap { event in
            guard let line = offsets.firstIndex(of: event.offset) else { return nil }
            return LineEdge(
                line: line, isActive: event.id == GPIO_V2_LINE_EVENT_RISING_EDGE.rawValue, sequence: event.seqno)
        }
    }

    private func control<Argument>(_ request: UInt, _ argument: inout Argument) throws(LineError) {
        do throws(SystemFailure) {
            try system.control(number, request, &argument)
        } catch {
            throw LineError(using: path, error)
        }
    }
}
