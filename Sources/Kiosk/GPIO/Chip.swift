// SPDX-License-Identifier: Apache-2.0

import CGPIO
import KioskPorts
import LinuxSystem

/// An open chip.
struct Chip: ~Copyable {
    let path: String
    let label: String
    let lineCount: UInt32
    private let number: Int32
    private let system: any LineSystem

    init(opening path: String, system: any LineSystem) throws(LineError) {
        let number: Int32
        do throws(SystemFailure) { number = try system.open(path) } catch { throw LineError(opening: path, error) }
        var info = gpiochip_info()
        do throws(SystemFailure) {
            try system.control(number, cgpio_chip_info, &info)
        } catch {
            system.close(number)
            throw LineError(
                .notFound, at: path, problem: "is not a GPIO chip (\(error.reason))",
                remedy: "`login-kiosk devices` lists the chips")
        }
        self.path = path
        self.system = system
        self.number = number
        label = CText.string(info.label)
        lineCount = info.lines
    }

    deinit { system.close(number) }

    /// The board's name of a line, and the name of its holder; each may be empty.
    func line(_ offset: UInt32) -> (name: String, user: String)? {
        var info = gpio_v2_line_info()
        info.offset = offset
        do throws(SystemFailure) { try system.control(number, cgpio_line_info, &info) } catch { return nil }
        let isUsed = info.flags & UInt64(GPIO_V2_LINE_FLAG_USED.rawValue) != 0
        let user = CText.string(info.consumer)
        return (CText.string(info.name), isUsed && user.isEmpty ? "another driver" : user)
    }

    /// - Returns: nil when the chip has no such line.
    func offset(of address: LineAddress) -> UInt32? {
        switch address {
        case .offset(let offset): offset < lineCount ? offset : nil
        case .named(let name): (0..<lineCount).first { line($0)?.name == name }
        }
    }

    /// - Parameter user: the name that other programs see as the holder of the lines.
    func request(_ addresses: [LineAddress], _ lines: [LineSettings], user: String) throws(LineError) -> LineRequest {
        let offsets = try addresses.map { address throws(LineError) in try requireOffset(of: address) }
        guard (1...Int(GPIO_V2_LINES_MAX)).contains(offsets.count), lines.count == offsets.count,
            let configuration = LineConfiguration(lines)
        else {
            throw LineError(
                .refused, at: path, problem: "so many lines cannot be had at once",
                remedy: "take at most \(GPIO_V2_LINES_MAX) lines")
        }
        var request = gpio_v2_line_request()
        // Safe: the tuple is an array of that many numbers in C, and no more are written.
        unsafe withUnsafeMutableBytes(of: &request.offsets) { bytes in
            let slots = unsafe bytes.bindMemory(to: UInt32.self)
            for (index, offset) in offsets.enumerated() { unsafe slots[index] = offset }
        }
        request.num_lines = UInt32(offsets.count)
        request.config = configuration.config
        CText.write(user, into: &request.consumer)
        do throws(SystemFailure) { try system.control(number, cgpio_request_lines, &request) } catch {
            throw refusal(error, offsets, addresses)
        }
        return LineRequest(owning: request.fd, of: path, offsets: offsets, system: system)
    }

    private func requireOffset(of address: LineAddress) throws(LineError) -> UInt32 {
        if let offset = offset(of: address) { return offset }
        throw LineError(
            .notFound, at: path, problem: "\(label) has no line \(address)",
            remedy: "take a name that `gpioinfo` of the package gpiod lists, or a number below \(lineCount)")
    }

    private func refusal(_ failure: SystemFailure, _ offsets: [UInt32], _ addresses: [LineAddress]) -> LineError {
        guard failure.isBusy else { return LineError(using: path, failure) }
        for (offset, address) in zip(offsets, addresses) {
            guard let user = line(offset)?.user, !user.isEmpty else { continue }
            return LineError(
                .inUse, at: path, problem: "line \(address) is in use by \(user)",
                remedy: "stop that program, take its overlay out, or take another line")
        }
        return LineError(using: path, failure)
    }
}
