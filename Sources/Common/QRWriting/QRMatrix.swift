// SPDX-License-Identifier: Apache-2.0

import CQREncode

/// The modules of a QR code, at error correction level M by default (ISO/IEC 18004: a seventh of it may be damaged).
public struct QRMatrix: Sendable {
    /// The number of light modules required on every side of the code (ISO/IEC 18004, section 9.1).
    public static let quietZone = 4
    /// The modules on a side of a code of version 25; cameras hardly read a larger code.
    public static let mostModules = 117

    /// Modules on a side.
    public let width: Int
    private let isDark: [Bool]

    /// A code in byte mode.
    ///
    /// - Returns: nil when the text does not fit into a code.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        // Safe: the bytes are lent for the call, with their number.
        unsafe self.init(owning: QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M))
    }

    /// Makes a code in alphanumeric mode, which stores digits, capital letters and ` $%*+-./:` more compactly. It has
    /// at most ``mostModules`` on a side: a longer text gets less error correction.
    ///
    /// - Returns: nil for any other character, and when the text does not fit into such a code.
    public init?(alphanumeric text: Span<UInt8>) {
        for level in [QR_ECLEVEL_M, QR_ECLEVEL_L] {
            guard let code = QRMatrix(alphanumeric: text, level), code.width <= QRMatrix.mostModules else { continue }
            self = code
            return
        }
        return nil
    }

    private init?(alphanumeric text: Span<UInt8>, _ level: QRecLevel) {
        guard let input = unsafe QRinput_new2(0, level) else { return nil }
        defer { unsafe QRinput_free(input) }
        let isTaken = unsafe text.withUnsafeBytes { bytes in
            // Safe: the bytes are lent for the call, which copies them.
            unsafe QRinput_append(
                input, QR_MODE_AN, Int32(bytes.count), bytes.assumingMemoryBound(to: UInt8.self).baseAddress) == 0
        }
        guard isTaken else { return nil }
        unsafe self.init(owning: QRcode_encodeInput(input))
    }

    /// - Parameter code: made by the library; freed here.
    private init?(owning code: UnsafeMutablePointer<QRcode>?) {
        guard let code = unsafe code else { return nil }
        defer { unsafe QRcode_free(code) }
        let width = Int(unsafe code.pointee.width)
        self.width = width
        // The library gives width x width bytes, whose lowest bit is the colour.
        isDark = (0..<width * width).map { unsafe code.pointee.data[$0] & 1 == 1 }
    }

    /// Whether a module is dark. Outside of the code every module is light.
    public subscript(row: Int, column: Int) -> Bool {
        let sides = 0..<width
        return sides.contains(row) && sides.contains(column) && isDark[row * width + column]
    }
}
