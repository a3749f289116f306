// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

// docs/protocol/milagro.md, section 5.
extension ClassicDialect {
    var timePermits: (any TimePermitDialect)? { settings.timePermits == nil ? nil : self }

    func firstTimePermitShare(of mpinID: MPinID) throws(MPinError) -> Exchange<FirstTimePermitShare> {
        guard let timePermits = settings.timePermits else {
            throw MPinError(.misuse, detail: "the backend uses no time permits")
        }
        let url = try MPinError.address(timePermits.url, "/\(Hexadecimal.text(mpinID.bytes))", for: .timePermitShare1)
        let certivoxURL = settings.certivoxURL
        return Exchange(.timePermitShare1, get(url), success: Self.success) { object throws(JSONError) in
            let day = try object.epochDay("date")
            let storageID = try object.bytes("storageId", counts: 32...32)
            guard storageID == MPinIdentity(mpinID).hashed.bytes else {
                throw JSONError("`storageId` is not the hash of the identity")
            }
            let signature = try object.bytes("signature", counts: 32...32)
            let query =
                "hash_mpin_id=\(Hexadecimal.text(storageID))&app_id=\(timePermits.appID)&mobile=1"
                + "&signature=\(Hexadecimal.text(signature))"
            return FirstTimePermitShare(
                share: try object.timePermitShare("timePermit"), day: day,
                // If no valid address can be made, there is no storage to ask.
                storageURL: try? timePermits.storageURL?.appending(
                    "/\(timePermits.appID)/\(day.value)/\(Hexadecimal.text(storageID))"),
                secondShareURL: try certivoxURL.request("timePermit", query: query))
        }
    }

    func storedTimePermitShare(_ first: FirstTimePermitShare) -> Exchange<TimePermitShare>? {
        guard let url = first.storageURL else { return nil }
        let call = Call(kind: .timePermitStorage, request: get(url))
        return Exchange(call: call, success: Self.success) { body throws(JSONError) in
            // Bare hexadecimal digits, not JSON, perhaps with a line end.
            try body.trimmed.withBytes { text throws(JSONError) in
                guard let encoded = SecretBytes(hex: text, counts: SecretBytes.pointLengths),
                    let share = try? TimePermitShare(encoded)
                else { throw JSONError("the body is not a time permit") }
                return share
            }
        }
    }

    func secondTimePermitShare(_ first: FirstTimePermitShare) -> Exchange<TimePermitShare> {
        Exchange(.timePermitShare2, get(first.secondShareURL), success: Self.success) {
            object throws(JSONError) in try object.timePermitShare("timePermit")
        }
    }
}
