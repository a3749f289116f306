// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension MatrixSettings {
    private var pull: LineSettings.Bias { isActiveLow ? .pullUp : .pullDown }

    func row(isDriven: Bool) -> LineSettings {
        switch drive {
        case .switched:
            LineSettings(isDriven ? .output(isActive: true) : .input(.disabled), isActiveLow: isActiveLow)
        case .open:
            LineSettings(.output(isActive: isDriven, isActiveLow ? .openDrain : .openSource), isActiveLow: isActiveLow)
        }
    }

    func column(tellsEdges: Bool) -> LineSettings {
        LineSettings(
            .input(pull, edges: tellsEdges, debounce: tellsEdges ? MatrixSettings.debounce : .zero),
            isActiveLow: isActiveLow)
    }

    /// The settings of rows and columns while the wiring is measured.
    func measured(isDriven: Bool) -> LineSettings {
        LineSettings(isDriven ? .output(isActive: true) : .input(pull), isActiveLow: isActiveLow)
    }

    /// The time that a column must be quiet before the kernel reports its edge.
    private static var debounce: Duration { .milliseconds(2) }
}
