// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// Every row of the table of refusals for every request, through the call that makes the request.
@Suite struct StatusTests {
    static let codes = [
        100, 199, 201, 202, 204, 206, 299, 300, 301, 302, 303, 304, 307, 308, 399, 400, 401, 402, 403, 404, 405, 406,
        407,
        408, 409, 410, 411, 412, 413, 418, 429, 451, 499, 500, 501, 502, 503, 504, 511, 599, 600, 999,
    ]

    static func generic(_ code: Int) -> Status {
        switch code {
        case 300...399: .networkError
        case 406: .badUserAgent
        case 400...499: .httpRequestError
        case 500...: .httpServerError
        default: .responseParseError
        }
    }

    static let overrides: [Endpoint: [Int: Status]] = [
        .service: [412: .badClientVersion],
        .register: [403: .identityNotAuthorized, 404: .registrationExpired],
        .restart: [403: .identityNotAuthorized, 404: .registrationExpired],
        .secretShare1: [400: .identityNotVerified, 401: .identityNotVerified, 404: .registrationExpired],
        .secretShare2: [408: .requestExpired],
        .permitShare1: [410: .revoked],
        .permitShare2: [410: .revoked],
        .relyingParty: verdicts,
        .browserSession: verdicts, .oneTimePassword: verdicts, .authorizationCode: verdicts,
    ]

    static let verdicts: [Int: Status] = [
        401: .incorrectPIN, 403: .identityNotAuthorized, 408: .requestExpired, 409: .clientSecretExpired,
        410: .incorrectPIN, 412: .incorrectAccessNumber,
    ]

    static func genericKind(_ code: Int) -> MPinError.Kind {
        switch code {
        case 300...399: .network
        case 406: .clientRefused
        case 429, 503: .busy
        case 400...499: .requestRefused
        case 500...: .serverFailed
        default: .badReply
        }
    }

    static let kinds: [Endpoint: [Int: MPinError.Kind]] = [
        .service: [412: .clientTooOld],
        .register: [403: .notAuthorized, 404: .registrationGone],
        // A new registration begins, which is refused in the same way.
        .restart: [403: .notAuthorized, 404: .registrationGone],
        .secretShare1: [400: .registrationGone, 401: .notVerified, 404: .registrationGone],
        .permitShare1: [410: .revoked],
        .permitShare2: [410: .revoked],
        .relyingParty: verdictKinds,
        .browserSession: verdictKinds, .oneTimePassword: verdictKinds, .authorizationCode: verdictKinds,
    ]

    static let verdictKinds: [Int: MPinError.Kind] = [
        401: .wrongPIN, 403: .notAuthorized, 408: .browserTimedOut, 409: .secretExpired, 410: .blocked,
        412: .sessionExpired,
    ]

    static func kind(_ code: Int, of endpoint: Endpoint) -> MPinError.Kind {
        // The first share has used up the registration.
        if endpoint == .secretShare2 { return .registrationGone }
        let kind = kinds[endpoint]?[code] ?? genericKind(code)
        // A success with an invalid body may have logged a person in.
        return endpoint.isFinal && kind == .badReply ? .outcomeUnknown : kind
    }

    @Test(arguments: Endpoint.allCases) func mapsEveryStatus(_ endpoint: Endpoint) async throws {
        var stage = try await Stage(endpoint)
        for code in StatusTests.codes {
            stage.device.transport.on(endpoint.method, endpoint.path, .status(code))
            let error = try await stage.callFails()
            if endpoint.isSwallowed {
                #expect(error == nil, "\(code)")
                continue
            }
            #expect(error?.status == StatusTests.overrides[endpoint]?[code] ?? StatusTests.generic(code), "\(code)")
            #expect(error?.httpStatus == code)
            let kind = StatusTests.kind(code, of: endpoint)
            #expect(error?.kind == kind && error?.outcomeIsUnknown == (kind == .outcomeUnknown), "\(code)")
            let blocks = (endpoint.isFinal || [.permitShare1, .permitShare2].contains(endpoint)) && code == 410
            let state = try await stage.device.mpin.user(stage.user.key)?.state
            if endpoint.needsUser { #expect((state == .blocked) == blocks, "\(code)") }
            if blocks { stage = try await Stage(endpoint) }
        }
    }

    @Test(arguments: Endpoint.allCases) func failsWithoutReply(_ endpoint: Endpoint) async throws {
        let stage = try await Stage(endpoint)
        for code in [
            HTTPTransportError.Code.nameNotResolved, .connectionFailed, .addressRefused, .tlsFailed, .timedOut,
        ] {
            for mayHaveBeenSent in [false, true] {
                let failure = HTTPTransportError(code, requestMayHaveBeenSent: mayHaveBeenSent, detail: "planned")
                stage.device.transport.on(endpoint.method, endpoint.path, .failure(failure))
                let error = try await stage.callFails()
                #expect(error?.status == (endpoint.isSwallowed ? nil : .networkError))
                let isUnknown = endpoint.comesAfterPass2 && mayHaveBeenSent
                let kind: MPinError.Kind =
                    endpoint == .secretShare2 ? .registrationGone : isUnknown ? .outcomeUnknown : .network
                #expect(error?.kind == (endpoint.isSwallowed ? nil : kind))
                #expect(error?.outcomeIsUnknown ?? false == (endpoint.comesAfterPass2 && mayHaveBeenSent))
            }
        }
    }

    @Test func statusesHaveTheirNumbersAndNames() {
        #expect(Status.allCases.map(\.rawValue) == Array(0...21))
        #expect(Status.ok.name == "OK" && Status.incorrectPIN.name == "INCORRECT_PIN")
        #expect(Status.incorrectPIN.rawValue == 11 && Status.clientSecretExpired.rawValue == 16)
        #expect(Status.verificationFailed.name == "VERIFICATION_FAILED")
        #expect(Set(Status.allCases.map(\.name)).count == 22)
    }
}
