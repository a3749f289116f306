// SPDX-License-Identifier: Apache-2.0

import BackendValues
import QRWriting

/// A QR code as a PNG: black on white, with a quiet zone of four modules.
enum QRPicture {
    private static let moduleSize = 8

    /// - Throws: `BackendError.invalidConfiguration` when the text does not fit into a code.
    static func png(of text: String) throws(BackendError) -> [UInt8] {
        guard let code = QRMatrix(text) else {
            throw .invalidConfiguration("the public URL is too long for a QR code")
        }
        guard let file = code.png(moduleSize: moduleSize) else { throw .pictureFailed }
        return file
    }
}
