// SPDX-License-Identifier: Apache-2.0

/// The program's requests to a backend.
enum Endpoint: String, CaseIterable, Sendable {
    case service = "GET /service"
    case settings = "GET /rps/clientSettings"
    case sessionDetails = "POST /rps/codeStatus wid"
    case announcement = "POST /rps/codeStatus user"
    case firstPermit = "GET /rps/timePermit/"
    case secondPermit = "GET /dta/timePermit"
    case pass1 = "POST /rps/pass1"
    case pass2 = "POST /rps/pass2"
    case authenticate = "POST /rps/authenticate"
    case registration = "PUT /rps/user"
    case firstShare = "GET /rps/signature/"
    case secondShare = "GET /dta/clientSecret"

    func matches(_ request: WireMessage) -> Bool {
        switch self {
        case .sessionDetails: request.bodyText.contains(#""status":"wid""#)
        case .announcement: request.bodyText.contains(#""status":"user""#)
        default: request.start.hasPrefix(rawValue)
        }
    }

    /// Whether `enroll` makes the request, and `login` does not.
    var belongsToRegistration: Bool {
        switch self {
        case .registration, .firstShare, .secondShare: true
        default: false
        }
    }
}
