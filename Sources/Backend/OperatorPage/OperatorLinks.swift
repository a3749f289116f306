// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import MPinCrypto
import MPinServer
import Sealing

/// Seals the values in the page's links, so that only this backend can read or make them. A browser's history and a
/// proxy's log have no mpin_id from the position in the list. No other site can make the page report an action.
package struct OperatorLinks: Sendable {
    /// The longest position has a user id of 255 bytes, and an mpin_id that escapes each of them.
    private static let longest = 8_192

    let key: SecretBytes

    func text(of place: UserPosition) -> String? {
        let userID = Array(place.userID.utf8)
        let time = (0..<8).reversed().map { UInt8(truncatingIfNeeded: place.time.milliseconds >> (8 * $0)) }
        return sealed(time + [UInt8(clamping: userID.count)] + userID + place.mpinID.bytes, "place")
    }

    func place(_ text: String) -> UserPosition? {
        guard let bytes = opened(text, "place"), bytes.count > 8, bytes.count >= 9 + Int(bytes[8]) else { return nil }
        let end = 9 + Int(bytes[8])
        return UserPosition(
            userID: String(decoding: bytes[9..<end], as: UTF8.self),
            time: WallTime(milliseconds: bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) }),
            mpinID: MPinID(Array(bytes[end...])))
    }

    func text(of done: OperatorReport) -> String? {
        sealed(Array("\(done.action.rawValue)\n\(done.userID)".utf8), "report")
    }

    func report(_ text: String) -> OperatorReport? {
        let parts = opened(text, "report").map { String(decoding: $0, as: UTF8.self) }?
            .split(separator: "\n", maxSplits: 1)
        guard let parts, parts.count == 2, let action = OperatorAction(rawValue: String(parts[0])) else { return nil }
        return OperatorReport(action: action, userID: String(parts[1]))
    }

    private func sealed(_ bytes: [UInt8], _ context: String) -> String? {
        (try? SealedBox.seal(bytes, key: key, context: context)).map { Base64.urlText($0) }
    }

    private func opened(_ text: String, _ context: String) -> [UInt8]? {
        guard text.utf8.count <= Self.longest, let box = Base64.bytes(urlText: text) else { return nil }
        return try? SealedBox.open(box, key: key, context: context)
    }
}

/// The last action, shown above the list.
struct OperatorReport: Sendable, Equatable {
    let action: OperatorAction
    let userID: String
}
