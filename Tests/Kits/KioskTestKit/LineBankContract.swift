// SPDX-License-Identifier: Apache-2.0

import Glibc
public import KioskPorts

/// The contract of every ``LineBank``, checked on two lines that a key of a matrix connects. No other key may be
/// pressed.
public struct LineBankContract<Bank: LineBank & ~Copyable> {
    /// The time that a real chip may take to report an edge.
    private static var patience: Duration { .seconds(60) }

    private let open: (_ wires: [MatrixWire], [LineSettings]) throws(LineError) -> Bank
    private let press: (_ isClosed: Bool) -> Void
    private let row = MatrixWire.row(0)
    private let column = MatrixWire.column(0)

    private let driven = LineSettings(.output(isActive: true), isActiveLow: true)
    private let released = LineSettings(.input(.disabled), isActiveLow: true)
    private let read = LineSettings(.input(.pullUp), isActiveLow: true)
    private let watched = LineSettings(.input(.pullUp, edges: true), isActiveLow: true)

    /// - Parameters:
    ///   - open: opens the lines for wires of a matrix of at least 1 x 2.
    ///   - press: closes or opens the key in row 1, column 1.
    public init(
        open: @escaping (_ wires: [MatrixWire], [LineSettings]) throws(LineError) -> Bank,
        press: @escaping (_ isClosed: Bool) -> Void
    ) {
        self.open = open
        self.press = press
    }

    /// - Throws: the broken rule, or a line's error.
    public func check() throws {
        try levelsFollowWhatDrivesThem()
        try linesCanBeTurnedAround()
        try openOutputsLetGo()
        try edgesAreTold()
        try lostEdgesShow()
        try waitsEnd()
        try settingsMustFit()
    }

    private func levelsFollowWhatDrivesThem() throws {
        var rows = try open([row], [driven])
        var columns = try open([column, .column(1)], [read, read])
        try expect(try columns.values() == 0, "a pulled line is inactive")
        press(true)
        try expect(try columns.values() == 1, "the first line is bit 0, and follows the line that drives it")
        try rows.set(0)
        try expect(try columns.values() == 0, "an output that is set inactive drives inactive")
        try rows.set(1)
        try expect(try columns.values() == 1, "an output that is set active drives active")
        press(false)
        try expect(try columns.values() == 0, "a line that nothing drives is pulled back")
    }

    private func linesCanBeTurnedAround() throws {
        var rows = try open([row], [driven])
        var columns = try open([column], [read])
        press(true)
        try rows.configure([released])
        try expect(try columns.values() == 0, "an output that was made an input drives nothing")
        try rows.configure([driven])
        try expect(try columns.values() == 1, "an input that was made an output has its value at once")
        try rows.configure([read])
        try columns.configure([driven])
        try expect(try rows.values() == 1, "lines can change their parts")
        press(false)
    }

    private func openOutputsLetGo() throws {
        var rows = try open([row], [LineSettings(.output(isActive: false, .openDrain), isActiveLow: true)])
        var columns = try open([column], [driven])
        press(true)
        try expect(try columns.values() == 1, "an open drain that is inactive does not fight")
        try columns.configure([read])
        try rows.set(1)
        try expect(try columns.values() == 1, "an open drain that is active drives low")
        press(false)
    }

    private func edgesAreTold() throws {
        let rows = try open([row], [driven])
        var columns = try open([.column(1), column], [watched, watched])
        try expect(try columns.takeEdges() == [], "without an edge there is none to take")
        press(true)
        try expect(try columns.wait(within: Self.patience, orStop: -1) == .edges, "an edge ends the wait")
        try expect(
            try columns.takeEdges() == [LineEdge(line: 1, isActive: true, sequence: 1)],
            "an edge has its line's place, its direction and the number 1")
        press(false)
        try expect(try columns.wait(within: Self.patience, orStop: -1) == .edges, "the next edge ends the next wait")
        try expect(
            try columns.takeEdges() == [LineEdge(line: 1, isActive: false, sequence: 2)], "edges are numbered on")
        try columns.configure([read, read])
        press(true)
        try expect(try columns.wait(within: .milliseconds(50), orStop: -1) == .nothing, "edges can be switched off")
        press(false)
        _ = consume rows
    }

    private func lostEdgesShow() throws {
        let rows = try open([row], [driven])
        var columns = try open([column], [watched])
        let presses = 40
        for _ in 0..<presses {
            press(true)
            wait()
            press(false)
            wait()
        }
        var counter = EdgeCounter()
        var seen = 0
        var lost = 0
        while try columns.wait(within: .milliseconds(50), orStop: -1) == .edges {
            let edges = try columns.takeEdges()
            seen += edges.count
            lost += counter.lost(in: edges)
        }
        try expect(lost > 0, "edges that no caller takes are lost at last")
        try expect(seen + lost == 2 * presses, "their numbers show how many: \(seen) seen, \(lost) lost")
        _ = consume rows
    }

    /// Waits for a chip whose interrupt is handled by a thread.
    private func wait() { usleep(2000) }

    private func waitsEnd() throws {
        var columns = try open([column], [watched])
        try expect(try columns.wait(within: .milliseconds(20), orStop: -1) == .nothing, "a wait ends at its limit")
        var ends: [Int32] = [-1, -1]
        // Safe: the call writes two numbers into a local array.
        let status = unsafe ends.withUnsafeMutableBufferPointer { unsafe pipe($0.baseAddress) }
        try expect(status == 0, "the system has a pipe left")
        close(ends[1])
        let wait = try columns.wait(within: Self.patience, orStop: ends[0])
        close(ends[0])
        try expect(wait == .stopped, "the end of a pipe stops a wait")
    }

    private func settingsMustFit() throws {
        var columns = try open([column], [read])
        var refusal: LineError.Code?
        do throws(LineError) { try columns.configure([read, read]) } catch { refusal = error.code }
        try expect(refusal == .refused, "more settings than lines are refused")
    }

    private func expect(_ holds: @autoclosure () throws -> Bool, _ rule: @autoclosure () -> String) throws {
        let holds = try holds()
        try ContractViolation.check(holds, rule())
    }
}
