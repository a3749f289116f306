// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// Finds chips and lines, and requests them from the kernel.
public struct ChipFinder: Sendable {
    private let system: any LineSystem

    public init() { self.init(system: KernelLineSystem()) }

    init(system: any LineSystem) { self.system = system }

    /// Requests lines of one chip.
    ///
    /// - Parameters:
    ///   - lines: the settings of each, in the order of the addresses.
    ///   - user: the name that other programs see as the holder of the lines, at most 31 bytes.
    /// - Throws: when there is no such chip or line, when another process has it, and when the system refuses.
    public func request(
        _ addresses: [LineAddress], on chip: ChipAddress, _ lines: [LineSettings], user: String
    ) throws(LineError) -> LineRequest {
        try self.chip(chip, with: addresses).request(addresses, lines, user: user)
    }

    /// All chips, by their device files.
    public func all() -> [ChipDescription] {
        system.chips().map { path in
            do throws(LineError) {
                let chip = try Chip(opening: path, system: system)
                return ChipDescription(path: path, label: chip.label, lineCount: Int(chip.lineCount), problem: nil)
            } catch {
                return ChipDescription(
                    path: path, label: nil, lineCount: 0, problem: "\(error.problem); \(error.remedy)")
            }
        }
    }

    private func chip(_ address: ChipAddress, with lines: [LineAddress]) throws(LineError) -> Chip {
        switch address {
        case .path(let path): return try Chip(opening: path, system: system)
        case .label(let label):
            let search = search { $0.label == label }
            return try only(of: search.found, address, orElse: search.refusal)
        case .usual:
            for label in ChipAddress.usualLabels {
                let found = search { $0.label == label }.found
                if !found.isEmpty { return try only(of: found, address) }
            }
            guard lines.allSatisfy({ if case .named = $0 { true } else { false } }) else {
                throw LineError(
                    .notFound, at: "\(address)", problem: "numbers of lines need a chip where there is no Raspberry Pi",
                    remedy: "name it: `login-kiosk devices` lists the chips")
            }
            let search = search { chip in lines.allSatisfy { chip.offset(of: $0) != nil } }
            return try only(of: search.found, address, orElse: search.refusal)
        }
    }

    /// The wanted chips, and why one cannot be read.
    private func search(_ isWanted: (borrowing Chip) -> Bool) -> (found: [String], refusal: LineError?) {
        var found: [String] = []
        var refusal: LineError?
        for path in system.chips() {
            do throws(LineError) {
                let chip = try Chip(opening: path, system: system)
                if isWanted(chip) { found.append(path) }
            } catch {
                refusal = error
            }
        }
        return (found, refusal)
    }

    private func only(
        of paths: [String], _ address: ChipAddress, orElse refusal: LineError? = nil
    ) throws(LineError) -> Chip {
        guard let path = paths.first else {
            throw refusal
                ?? LineError(
                    .notFound, at: "\(address)", problem: "there is no such GPIO chip, or it has not all of the lines",
                    remedy: "`login-kiosk devices` lists the chips")
        }
        guard paths.count == 1 else {
            throw LineError(
                .ambiguous, at: "\(address)", problem: "fits \(paths.joined(separator: " and "))",
                remedy: "name one of them by its path")
        }
        return try Chip(opening: path, system: system)
    }
}

/// A GPIO chip of this machine.
public struct ChipDescription: Sendable {
    public let path: String
    /// The label from the chip's driver, the same after every start; nil when the chip cannot be read.
    public let label: String?
    public let lineCount: Int
    /// The reason why it cannot be used.
    public let problem: String?
}
