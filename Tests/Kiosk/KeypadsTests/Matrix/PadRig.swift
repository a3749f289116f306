// SPDX-License-Identifier: Apache-2.0

import GPIO
import KioskPorts
import KioskTestKit
import Testing
@testable import Keypads

/// A pad of 4 x 3 at a fake chip, and its keypad.
struct PadRig {
    let matrix: FakeMatrix
    let settings: MatrixSettings
    let keypad: GPIOMatrixKeypad

    init(isActiveLow: Bool = true, drive: RowDrive = .switched) throws {
        let matrix = FakeMatrix(try #require(MatrixSize(rows: 4, columns: 3)))
        let settings = try #require(
            MatrixSettings(
                rows: ["R1", "R2", "R3", "R4"].map { .named($0) }, columns: ["C1", "C2", "C3"].map { .named($0) },
                isActiveLow: isActiveLow, drive: drive))
        self.matrix = matrix
        self.settings = settings
        keypad = GPIOMatrixKeypad(settings, clock: matrix) { rows, columns throws(LineError) in
            MatrixBanks(
                rows: try FakeLines((0..<4).map { .row($0) }, of: matrix, rows),
                columns: try FakeLines((0..<3).map { .column($0) }, of: matrix, columns))
        }
    }

    /// Presses the keys of a text on the layout of the pad.
    func type(_ text: String, bounces: Int = 0) {
        for character in text {
            guard let position = position(character) else { continue }
            matrix.press(position, bounces: bounces)
        }
    }

    func position(_ character: Character) -> MatrixPosition? {
        let row = settings.layout.description.split(separator: "/").firstIndex { $0.contains(character) }
        guard let row else { return nil }
        let signs = Array(settings.layout.description.split(separator: "/")[row])
        return signs.firstIndex(of: character).map { MatrixPosition(row: row, column: $0) }
    }
}
