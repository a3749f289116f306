// SPDX-License-Identifier: Apache-2.0

import Encoding

/// Form of the reply to the request for the first share. It is the last chance to notice that the backend is of another
/// kind than it was taken for (MIRACL protocol, section 16). Its reply is refused then, never followed.
enum ShareShape: String {
    case classic = "milagro or mfa-v1"
    case mfaV2 = "mfa-v2"
    case trust = "trust"

    func require(of object: JSONObject) throws(JSONError) {
        guard let shape = ShareShape(of: object), shape != self else { return }
        guard !isComplete(in: object) else { return }
        throw JSONError("the reply is one of \(shape.rawValue), the identity was registered for \(rawValue)")
    }

    private init?(of object: JSONObject) {
        guard
            let shape = [.trust, .classic, .mfaV2].first(where: { (shape: ShareShape) in shape.isComplete(in: object) })
        else { return nil }
        self = shape
    }

    private func isComplete(in object: JSONObject) -> Bool {
        switch self {
        case .classic: object.isPresent("clientSecretShare") && object.isPresent("params")
        case .mfaV2: object.isPresent("clientSecretShare") && object.isPresent("cs2url")
        case .trust: object.isPresent("dvsClientSecretShare")
        }
    }
}
