// SPDX-License-Identifier: Apache-2.0

import CQREncode
public import Capture

/// Pictures of QR codes as a web page shows them: black on white with a quiet zone of four modules.
public enum QRPicture {
    /// - Parameters:
    ///   - payload: at most the capacity of version 40 at level M.
    ///   - scale: pixels per module.
    public static func encode(_ payload: [UInt8], scale: Int = 4) -> Picture {
        // Safe: the count is that of the bytes, and the result is freed here.
        let code = unsafe payload.withUnsafeBufferPointer { bytes in
            unsafe QRcode_encodeData(Int32(bytes.count), bytes.baseAddress, 0, QR_ECLEVEL_M)
        }
        guard let code = unsafe code else { preconditionFailure("the payload does not fit into a QR code") }
        defer { unsafe QRcode_free(code) }
        return unsafe draw(code.pointee, scale: scale)
    }

    public static func encode(_ text: String, scale: Int = 4) -> Picture {
        encode(Array(text.utf8), scale: scale)
    }

    /// The parts of a structured-append set, each code of `version`.
    public static func structured(_ text: String, version: Int, scale: Int = 4) -> [Picture] {
        // Safe: the text is lent for the call, and the result is freed here.
        guard let list = unsafe QRcode_encodeStringStructured(text, Int32(version), QR_ECLEVEL_M, QR_MODE_8, 1) else {
            preconditionFailure("the text does not fit into a set")
        }
        defer { unsafe QRcode_List_free(list) }
        var pictures: [Picture] = []
        var entry: UnsafeMutablePointer<QRcode_List>? = unsafe list
        while let part = unsafe entry {
            if let code = unsafe part.pointee.code { unsafe pictures.append(draw(code.pointee, scale: scale)) }
            unsafe entry = part.pointee.next
        }
        return pictures
    }

    @unsafe private static func draw(_ code: QRcode, scale: Int) -> Picture {
        let modules = unsafe Int(code.width)
        let side = (modules + 8) * scale
        var picture = Picture(width: side, height: side, shade: 255)
        for y in 0..<modules * scale {
            for x in 0..<modules * scale {
                // The lowest bit is the colour; the matrix has width x width bytes.
                let isBlack = unsafe code.data[(y / scale) * modules + x / scale] & 1 == 1
                if isBlack { picture[x + 4 * scale, y + 4 * scale] = 0 }
            }
        }
        return picture
    }
}
