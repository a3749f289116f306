// SPDX-License-Identifier: Apache-2.0

import CGPIO
import KioskPorts

/// Settings of lines in the kernel's form: flags for most lines, and attributes for groups that differ.
struct LineConfiguration {
    private(set) var config = gpio_v2_line_config()

    /// - Returns: nil when the lines differ in more ways than one request can express.
    init?(_ lines: [LineSettings]) {
        var groups: [(flags: UInt64, mask: UInt64)] = []
        var periods: [(microseconds: UInt32, mask: UInt64)] = []
        var outputs: UInt64 = 0
        var values: UInt64 = 0
        for (index, line) in lines.enumerated() {
            let bit = 1 << index as UInt64
            let flags = LineConfiguration.flags(line)
            if let known = groups.firstIndex(where: { $0.flags == flags }) {
                groups[known].mask |= bit
            } else {
                groups.append((flags, bit))
            }
            switch line.role {
            case .output(let isActive, _):
                outputs |= bit
                if isActive { values |= bit }
            case .input(_, _, let debounce):
                let microseconds = UInt32(clamping: debounce / .microseconds(1))
                guard microseconds > 0 else { continue }
                if let known = periods.firstIndex(where: { $0.microseconds == microseconds }) {
                    periods[known].mask |= bit
                } else {
                    periods.append((microseconds, bit))
                }
            }
        }
        config.flags = groups.first?.flags ?? 0
        var attributes = groups.dropFirst().map { group in
            var attribute = LineConfiguration.attribute(GPIO_V2_LINE_ATTR_ID_FLAGS, group.mask)
            attribute.attr.flags = group.flags
            return attribute
        }
        if outputs != 0 {
            var attribute = LineConfiguration.attribute(GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES, outputs)
            attribute.attr.values = values
            attributes.append(attribute)
        }
        attributes += periods.map { period in
            var attribute = LineConfiguration.attribute(GPIO_V2_LINE_ATTR_ID_DEBOUNCE, period.mask)
            attribute.attr.debounce_period_us = period.microseconds
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

extension Duration {
    fileprivate static func / (left: Duration, right: Duration) -> Int64 {
        let quotient: Double = left / right
        return Int64(quotient.rounded(.up))
    }
}
