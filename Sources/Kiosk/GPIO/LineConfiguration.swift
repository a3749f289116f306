// SPDX-License-Identifier: Apache-2.0

import CGPIO
import KioskPorts

/// Settings of lines in the kernel's form: flags for most lines, and attributes for groups that differ.
struct LineConfiguration {
    private(set) var config = gpio_v2_line_config()

    /// - Returns: nil when the lines differ in more ways than one request can express.
    init?(_ lines: [LineSettings]) {
        let flags = LineConfiguration.groups(lines.map(LineConfiguration.flags))
        config.flags = flags.first?.value ?? 0
        var attributes = flags.dropFirst().map { group in
            var attribute = LineConfiguration.attribute(GPIO_V2_LINE_ATTR_ID_FLAGS, group.mask)
            attribute.attr.flags = group.value
            return attribute
        }
        if let outputs = LineConfiguration.outputValues(lines) { attributes.append(outputs) }
        let periods = LineConfiguration.groups(lines.map(LineConfiguration.debouncePeriod))
        attributes += periods.filter { $0.value > 0 }.map { group in
            var attribute = LineConfiguration.attribute(GPIO_V2_LINE_ATTR_ID_DEBOUNCE, group.mask)
            attribute.attr.debounce_period_us = group.value
            return attribute
        }
        guard attributes.count <= Int(GPIO_V2_LINE_NUM_ATTRS_MAX) else { return nil }
        config.num_attrs = UInt32(attributes.count)
        // Safe: the tuple is an array of that many attributes in C, and no more are written.
        unsafe withUnsafeMutableBytes(of: &config.attrs) { bytes in
            let slots = unsafe bytes.bindMemory(to: gpio_v2_line_config_attribute.self)
            for (index, attribute) in attributes.enumerated() { unsafe slots[index] = attribute }
        }
    }

    /// The different values of the lines, in the order of their first lines. A bit of the mask stands for a line.
    private static func groups<Value: Equatable>(_ values: [Value]) -> [(value: Value, mask: UInt64)] {
        var groups: [(value: Value, mask: UInt64)] = []
        for (index, value) in values.enumerated() {
            let bit = 1 << index as UInt64
            if let known = groups.firstIndex(where: { $0.value == value }) {
                groups[known].mask |= bit
            } else {
                groups.append((value, bit))
            }
        }
        return groups
    }

    /// - Returns: nil when no line is an output.
    private static func outputValues(_ lines: [LineSettings]) -> gpio_v2_line_config_attribute? {
        var outputs: UInt64 = 0
        var active: UInt64 = 0
        for (index, line) in lines.enumerated() {
            guard case .output(let isActive, _) = line.role else { continue }
            outputs |= 1 << index
            if isActive { active |= 1 << index }
        }
        guard outputs != 0 else { return nil }
        var attribute = attribute(GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES, outputs)
        attribute.attr.values = active
        return attribute
    }

    /// In microseconds, rounded up; 0 for none.
    private static func debouncePeriod(_ line: LineSettings) -> UInt32 {
        guard case .input(_, _, let debounce) = line.role else { return 0 }
        let microseconds: Double = debounce / .microseconds(1)
        return UInt32(clamping: Int64(microseconds.rounded(.up)))
    }

    private static func attribute(_ id: gpio_v2_line_attr_id, _ mask: UInt64) -> gpio_v2_line_config_attribute {
        var attribute = gpio_v2_line_config_attribute()
        attribute.attr.id = id.rawValue
        attribute.mask = mask
        return attribute
    }

    private static func flags(_ line: LineSettings) -> UInt64 {
        var flags: [gpio_v2_line_flag] = line.isActiveLow ? [GPIO_V2_LINE_FLAG_ACTIVE_LOW] : []
        switch line.role {
        case .input(let bias, let edges, _):
            flags.append(GPIO_V2_LINE_FLAG_INPUT)
            if edges { flags += [GPIO_V2_LINE_FLAG_EDGE_RISING, GPIO_V2_LINE_FLAG_EDGE_FALLING] }
            switch bias {
            case .disabled: flags.append(GPIO_V2_LINE_FLAG_BIAS_DISABLED)
            case .pullUp: flags.append(GPIO_V2_LINE_FLAG_BIAS_PULL_UP)
            case .pullDown: flags.append(GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN)
            }
        case .output(_, let drive):
            flags.append(GPIO_V2_LINE_FLAG_OUTPUT)
            switch drive {
            case .pushPull: break
            case .openDrain: flags.append(GPIO_V2_LINE_FLAG_OPEN_DRAIN)
            case .openSource: flags.append(GPIO_V2_LINE_FLAG_OPEN_SOURCE)
            }
        }
        return flags.reduce(0) { $0 | UInt64($1.rawValue) }
    }
}
