// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding
package import MPinCrypto

/// Makes the mpin_id, the JSON text of an identity. Devices and servers hash exactly its bytes.
/// docs/protocol/milagro.md, section 2.
package enum MPinIDText {
    /// A new identity for `userID`.
    /// - Parameters:
    ///   - mobile: 1 for an app or device, 0 for a browser.
    ///   - salt: 16 random bytes.
    static func make(userID: String, mobile: Int64, issued: WallTime, salt: [UInt8]) -> MPinID {
        // The classic order and spacing. All characters outside ASCII are escaped, so that every receiver sees the
        // same bytes.
        MPinID(
            Array(
                """
                {"mobile": \(mobile), "issued": "\(issued.issuedText)", "userID": "\(escaped(userID))", \
                "salt": "\(Hexadecimal.text(salt))"}
                """.utf8))
    }

    /// A new identity of a company's user, in the form of MIRACL's first platform. docs/protocol/miracl.md, section 2.
    static func make(userID: String, companyID: String, mobile: Int64, issued: WallTime, salt: [UInt8]) -> MPinID {
        MPinID(
            Array(
                """
                {"issuedAt": \(issued.seconds), "userID": "\(escaped(userID))", "cID": "\(escaped(companyID))", \
                "salt": "\(Hexadecimal.text(salt))", "v": 1, "mobile": \(mobile)}
                """.utf8))
    }

    /// A new identity of a project's user, in the form of MIRACL's present platform. docs/protocol/miracl.md, section
    /// 2.
    static func make(
        userID: String, projectID: String, verification: VerificationType, scope: String = "dvs", issued: WallTime,
        salt: [UInt8]
    ) -> MPinID {
        MPinID(
            Array(
                """
                {"iat":\(issued.seconds),"userID":"\(escaped(userID))","cID":"\(escaped(projectID))",\
                "salt":"\(Hexadecimal.text(salt))","v":5,"scope":["\(scope)"],"dta":[],"vt":"\(verification.rawValue)"}
                """.utf8))
    }

    /// The user id that an mpin_id claims; nil if it is invalid. It comes from a stranger and proves nothing.
    package static func userID(in mpinID: MPinID) -> String? {
        JSONObject(body: mpinID.bytes)?.string("userID").flatMap { try? UserID($0) }?.text
    }

    /// The kind of verification of a platform's mpin_id. It is as trustworthy as the mpin_id.
    static func verification(of mpinID: MPinID) -> VerificationType? {
        JSONObject(body: mpinID.bytes)?.string("vt").flatMap { VerificationType(rawValue: $0) }
    }

    static func escaped(_ text: String) -> String {
        var output = ""
        for unit in text.utf16 {
            switch unit {
            case 0x22: output += "\\\""
            case 0x5c: output += "\\\\"
            case 0x20..<0x7f: output.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            default: output += "\\u" + Hexadecimal.text([UInt8(unit >> 8), UInt8(unit & 0xff)])
            }
        }
        return output
    }
}

extension MPinID {
    private static let lengths = 1...4096

    /// Reads hexadecimal digits. Nil for anything else, and for more bytes than any mpin_id has.
    package init?(hexadecimal text: String?) {
        guard let bytes = text.flatMap({ Hexadecimal.bytes($0) }), Self.lengths.contains(bytes.count)
        else { return nil }
        self.init(bytes)
    }
}

extension UserID {
    /// Reads the user id of a new registration. Its mpin_id must fit devices, and contains six or twelve bytes for a
    /// character outside of ASCII.
    package init(registering typed: String) throws(Problem) {
        try self.init(typed)
        guard MPinIDText.escaped(text).utf8.count <= Self.maximumEscapedLength else { throw .tooLong }
    }
}
