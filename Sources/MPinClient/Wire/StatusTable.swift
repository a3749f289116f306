// SPDX-License-Identifier: Apache-2.0

/// Which status a reply that is no success leads to: one rule for all dialects, and what single requests override
/// (MIRACL protocol, section 10).
enum StatusTable {
    static func status(of httpStatus: Int, to request: RequestKind) -> Status {
        overrides(for: request)[httpStatus] ?? generic(httpStatus)
    }

    private static func generic(_ httpStatus: Int) -> Status {
        switch httpStatus {
        case 300..<400: .networkError
        case 406: .badUserAgent
        case 400..<500: .httpRequestError
        case 500...: .httpServerError
        // Another 2xx did not do what was asked, and nothing says what it did; below 200 nothing is a final reply.
        default: .responseParseError
        }
    }

    private static func overrides(for request: RequestKind) -> [Int: Status] {
        switch request {
        case .serviceDetails: [412: .badClientVersion]
        case .register: [403: .identityNotAuthorized, 404: .registrationExpired]
        case .clientSecretShare1:
            [400: .identityNotVerified, 401: .identityNotVerified, 404: .registrationExpired]
        case .clientSecretShare2: [408: .requestExpired]
        case .timePermitShare1, .timePermitShare2: [410: .revoked]
        case .authenticate:
            [
                401: .incorrectPIN, 403: .identityNotAuthorized, 408: .requestExpired, 409: .clientSecretExpired,
                410: .incorrectPIN, 412: .incorrectAccessNumber,
            ]
        case .clientSettings, .codeStatus, .timePermitStorage, .pass1, .pass2, .logout: [:]
        }
    }
}
