// SPDX-License-Identifier: Apache-2.0

import Encoding

/// The format of the reply to the request for the first share. It is the last chance to notice that the backend is of
/// another kind than it was taken for (docs/protocol/miracl.md, section 16). Its reply is refused then, never followed.
enum ShareReplyFormat: String {
    case classic = "milagro or mfa-v1"
    case mfaV2 = "mfa-v2"
    case trust = "trust"

    func require(of object: JSONObject) throws(JSONError) {
        guard let format = ShareReplyFormat(of: object), format != self else { return }
        guard !isComplete(in: object) else { return }
        throw JSONError("the reply is one of \(format.rawValue), the identity was registered for \(rawValue)")
    }

    private init?(of object: JSONObject) {
        let formats: [ShareReplyFormat] = [.trust, .classic, .mfaV2]
        guard let format = formats.first(where: { $0.isComplete(in: object) }) else { return nil }
        self = format
    }

    private func isComplete(in object: JSONObject) -> Bool {
        switch self {
        case .classic: object.isPresent("clientSecretShare") && object.isPresent("params")
        case .mfaV2: object.isPresent("clientSecretShare") && object.isPresent("cs2url")
        case .trust: object.isPresent("dvsClientSecretShare")
        }
    }
}
