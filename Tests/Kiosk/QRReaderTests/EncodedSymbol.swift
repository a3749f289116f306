// SPDX-License-Identifier: Apache-2.0

import CQREncode
import Patience
@testable import QRReader

/// A symbol by libqrencode: what the reader has to find again.
struct EncodedSymbol {
    enum Mode: CaseIterable { case numeric, alphanumeric, bytes, kanji }

    let text: [UInt8]
    let side: Int
    private let isDark: [Bool]

    /// - Returns: nil when the text does not fit.
    init?(_ text: [UInt8], mode: Mode, version: Int, level: CorrectionLevel) {
        let level =
            switch level {
            case .low: QR_ECLEVEL_L
            case .medium: QR_ECLEVEL_M
            case .quartile: QR_ECLEVEL_Q
            case .high: QR_ECLEVEL_H
            }
        let mode =
            switch mode {
            case .numeric: QR_MODE_NUM
            case .alphanumeric: QR_MODE_AN
            case .bytes: QR_MODE_8
            case .kanji: QR_MODE_KANJI
            }
        // Safe: the library copies the text, and both results are freed here.
        guard let input = unsafe QRinput_new2(Int32(version), level) else { return nil }
        defer { unsafe QRinput_free(input) }
        guard unsafe QRinput_append(input, mode, Int32(text.count), text) == 0,
            let code = unsafe QRcode_encodeInput(input)
        else { return nil }
        defer { unsafe QRcode_free(code) }
        // It takes a larger version where the text does not fit.
        guard unsafe code.pointee.version == version else { return nil }
        self.text = text
        let side = unsafe Int(code.pointee.width)
        self.side = side
        isDark = (0..<side * side).map { unsafe code.pointee.data[$0] & 1 == 1 }
    }

    /// A random text in a random symbol, or in one of a version and level.
    static func random(
        version: Int? = nil, level: CorrectionLevel? = nil, using generator: inout SplitMix64
    ) -> EncodedSymbol {
        while true {
            let mode = Mode.allCases[Int.random(in: 0..<4, using: &generator)]
            let version = version ?? Int.random(in: 1...40, using: &generator)
            let most = [2: 20, 10: 200][version < 5 ? 2 : version < 20 ? 10 : 0] ?? 600
            let count = Int.random(in: 1...most, using: &generator)
            let level = level ?? CorrectionLevel.allCases[Int.random(in: 0..<4, using: &generator)]
            if let symbol = EncodedSymbol(
                text(mode, count: count, using: &generator), mode: mode, version: version, level: level)
            {
                return symbol
            }
        }
    }

    private static func text(_ mode: Mode, count: Int, using generator: inout SplitMix64) -> [UInt8] {
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)
        return (0..<count).flatMap { _ -> [UInt8] in
            switch mode {
            case .numeric: [UInt8.random(in: 48...57, using: &generator)]
            case .alphanumeric: [alphabet[Int.random(in: 0..<45, using: &generator)]]
            case .bytes: [UInt8.random(in: 0...255, using: &generator)]
            case .kanji:
                [UInt8.random(in: 0x81...0x9F, using: &generator), UInt8.random(in: 0x80...0xFC, using: &generator)]
            }
        }
    }

    /// Outside of the symbol every module is light.
    subscript(row: Int, column: Int) -> Bool {
        (0..<side).contains(row) && (0..<side).contains(column) && isDark[row * side + column]
    }

    /// The modules, each certain.
    func fill(_ grid: inout ModuleGrid) {
        grid.become(SymbolVersion(number: (side - 17) / 4))
        for row in 0..<side {
            for column in 0..<side { grid[row, column] = self[row, column] ? 1 : -1 }
        }
    }
}

extension GridDecoder {
    var result: [UInt8] { Array(text.prefix(count)) }
}
