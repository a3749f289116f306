// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import Provisioning

/// The contents of a profile, without secrets, for a reader.
struct ProfileDocument: Encodable {
    let version = 1
    let operatorName: String
    let operatorNumber: String
    let madeAt: UInt64
    let validUntil: UInt64
    let settings: String
    let trust: String?
    let bringsFleetKey: Bool

    init(_ profile: KioskProfile, _ signer: OperatorPublicKey) {
        operatorName = profile.operatorName
        operatorNumber = "\(signer.number)"
        madeAt = profile.madeAt
        validUntil = profile.validUntil
        settings = profile.settings
        trust = profile.trust
        bringsFleetKey = profile.fleetKey != nil
    }

    static func day(_ seconds: UInt64) -> String {
        Date(timeIntervalSince1970: TimeInterval(min(seconds, 253_402_300_799))).ISO8601Format()
    }

    var text: String {
        var lines = [
            "operator: \(DisplayText(operatorName)) (\(operatorNumber))",
            "made: \(ProfileDocument.day(madeAt)), to be applied until \(ProfileDocument.day(validUntil))",
        ]
        if bringsFleetKey { lines.append("brings the fleet's key") }
        for (name, text) in [("settings", settings as String?), ("trust list", trust)] {
            guard let text, !text.isEmpty else { continue }
            lines.append("\(name):")
            // Splits lines as the kiosk does that obeys them.
            lines += text.unicodeScalars.split(separator: "\n").map { scalars in
                let line = Substring(scalars)
                return "    \(line.prefix { $0 == " " })\(DisplayText(String(line)))"
            }
        }
        return lines.joined(separator: "\n")
    }
}
