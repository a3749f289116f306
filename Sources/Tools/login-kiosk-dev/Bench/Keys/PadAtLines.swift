// SPDX-License-Identifier: Apache-2.0

import Glibc
import Keypads
import KioskPorts
import KioskTestKit

/// The driver of pads at simulated lines, in real time.
final class PadAtLines {
    private let matrix: FakeMatrix
    private var reports: AsyncStream<KeypadReport>.Iterator

    init() async throws {
        guard case .gpio(let settings) = try KeypadSpecification("gpio:rows=0/1/2/3,columns=4/5/6") else {
            throw BenchmarkError.program("the matrix is not a pad of lines")
        }
        let matrix = FakeMatrix(settings.layout.size, isRealTime: true)
        let keypad = GPIOMatrixKeypad(settings, clock: matrix) { rows, columns throws(LineError) in
            MatrixBanks(
                rows: try FakeLines((0..<4).map { .row($0) }, of: matrix, rows),
                columns: try FakeLines((0..<3).map { .column($0) }, of: matrix, columns))
        }
        self.matrix = matrix
        reports = keypad.reports().makeAsyncIterator()
        guard await reports.next() == .available else { throw BenchmarkError.program("the pad is not there") }
    }

    /// Nanoseconds from a closed contact to the press.
    func contactToPress() async throws -> Double {
        let key = MatrixPosition(row: 1, column: 1)
        try await Task.sleep(for: .milliseconds(60))
        let start = WallClock.now()
        matrix.set(key, isClosed: true)
        guard case .pressed? = await reports.next() else { throw BenchmarkError.program("the pad has no key") }
        let time = WallClock.now() - start
        matrix.set(key, isClosed: false)
        return time
    }
}
