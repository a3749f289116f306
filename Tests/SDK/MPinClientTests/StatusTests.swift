// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// The table of refusals, through the call that makes the request: status codes, and since 2023 the server's error words
/// in both spellings and both forms. KindTests covers every code.
@Suite struct StatusTests {
    typealias Meaning = (status: Status, kind: MPinError.Kind)

    static let codes = [
        100, 199, 201, 204, 299, 300, 302, 399, 400, 401, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 429,
        499, 500, 503, 599, 600, 999,
    ]

    static func generic(_ code: Int) -> Meaning {
        switch code {
        case 300...399: (.networkError, .network)
        case 406: (.badUserAgent, .clientRefused)
        case 429: (.httpRequestError, .busy)
        case 503: (.httpServerError, .busy)
        case 400...499: (.httpRequestError, .requestRefused)
        case 500...: (.httpServerError, .serverFailed)
        default: (.responseParseError, .badReply)
        }
    }

    static let verdicts: [Int: Meaning] = [
        401: (.incorrectPIN, .wrongPIN), 403: (.identityNotAuthorized, .notAuthorized),
        408: (.requestExpired, .browserTimedOut), 409: (.clientSecretExpired, .secretExpired),
        410: (.incorrectPIN, .blocked), 412: (.incorrectAccessNumber, .sessionExpired),
    ]
    // A new registration begins, which is refused in the same way.
    static let registrations: [Int: Meaning] = [
        403: (.identityNotAuthorized, .notAuthorized), 404: (.registrationExpired, .registrationGone),
    ]
    static let confirmations: [Int: Meaning] = [
        400: (.identityNotVerified, .registrationGone), 401: (.identityNotVerified, .notVerified),
        404: (.registrationExpired, .registrationGone),
    ]
    static let ofACode: Meaning = (.identityNotAuthorized, .codeRefused)

    static let overrides: [Endpoint: [Int: Meaning]] = [
        .service: [412: (.badClientVersion, .clientTooOld)],
        .register: registrations, .restart: registrations, .secretShare1: confirmations, .signature: confirmations,
        .secretShare2: [408: (.requestExpired, .registrationGone)],
        .share: [408: (.requestExpired, .registrationGone)], .secretURL: [408: (.requestExpired, .registrationGone)],
        .permitShare1: [410: (.revoked, .revoked)], .permitShare2: [410: (.revoked, .revoked)],
        // Both are sent with a code.
        .laterRegister: registrations.merging([403: ofACode]) { $1 }, .registration: [403: ofACode],
        .keyRegistration: [
            400: (.httpRequestError, .registrationGone), 404: (.httpRequestError, .registrationGone),
        ],
        .relyingParty: verdicts, .browserSession: verdicts, .oneTimePassword: verdicts, .authorizationCode: verdicts,
        .authenticate: verdicts, .statement: verdicts,
        .authenticateForCode: verdicts.merging([403: (.operationNotAllowed, .notAllowed)]) { $1 },
        .startVerification: [429: (.verificationFailed, .mailTooSoon(until: nil))],
    ]

    static func meaning(of code: Int, to endpoint: Endpoint) -> Meaning {
        var (status, kind) = overrides[endpoint]?[code] ?? generic(code)
        switch endpoint {
        // The first share has used up the registration. Where the addresses of both work until one is served, a
        // refusal is final too.
        case .secretShare2, .share, .secretURL: kind = .registrationGone
        case .startVerification, .finishVerification:
            status = .verificationFailed
            if 400...499 ~= code, code != 429 {
                kind = endpoint == .startVerification ? .verificationRefused : .codeRefused
            }
        // A success with an invalid body may have logged a person in.
        default: if endpoint.isFinal || endpoint == .handIn, kind == .badReply { kind = .outcomeUnknown }
        }
        return (status, kind)
    }

    /// Where an empty body is valid, because the reply is not read.
    static let mayBeEmpty: [Endpoint] = [
        .laterAbort, .laterSession, .startVerification, .authenticate, .authenticateForCode, .handIn, .registrationCode,
    ]

    @Test(arguments: Endpoint.allCases) func mapsEveryStatus(_ endpoint: Endpoint) async throws {
        var stage = try await Stage(endpoint)
        let isTrust = DialectName.trust.contains(endpoint.dialect)
        for code in Self.codes {
            // Another test covers the other meanings.
            if endpoint == .registration, code == 404 || code == 405 { continue }
            // Both ways to a signing session fail.
            let isSession = [.signingSession, .dvsSession].contains(endpoint)
            if isSession { stage.transport.on(.post, "*", .status(code)) } else { stage.on(.status(code)) }
            let error = try await stage.callFails()
            if endpoint.isSwallowed {
                #expect(error == nil, "\(code)")
            } else if endpoint == .project {
                #expect(error?.httpStatus == 404 && error?.status == .httpRequestError)
            } else if isTrust, 200...299 ~= code {
                #expect((error == nil) == Self.mayBeEmpty.contains(endpoint), "\(code)")
            } else {
                let (status, kind) = Self.meaning(of: code, to: endpoint)
                #expect(error?.status == status && error?.kind == kind && error?.httpStatus == code, "\(code)")
                #expect(error?.outcomeIsUnknown == (kind == .outcomeUnknown), "\(code)")
            }
            let blocks = (endpoint.isFinal || [.permitShare1, .permitShare2].contains(endpoint)) && code == 410
            let state = try await stage.device.mpin.user(stage.user.key)?.state
            if endpoint.needsUser { #expect((state == .blocked) == blocks, "\(code)") }
            if blocks { stage = try await Stage(endpoint) }
        }
    }

    @Test(arguments: Endpoint.allCases) func failsWithoutReply(_ endpoint: Endpoint) async throws {
        let stage = try await Stage(endpoint)
        for (code, wasSent) in [
            (HTTPTransportError.Code.nameNotResolved, false), (.connectionFailed, false), (.addressRefused, false),
            (.tlsFailed, true), (.timedOut, false), (.timedOut, true),
        ] {
            stage.on(.lost(wasSent, code))
            let error = try await stage.callFails()
            let isUnknown = endpoint.leavesOpen && wasSent
            let expected: Meaning? =
                switch endpoint {
                case .announce, .permitStorage: nil
                case .project: (.httpRequestError, .requestRefused)
                case .secretShare2, .share: (.networkError, .registrationGone)
                default: (.networkError, isUnknown ? .outcomeUnknown : .network)
                }
            #expect(error?.status == expected?.status && error?.kind == expected?.kind, "\(code)")
            #expect(error?.outcomeIsUnknown ?? false == isUnknown)
            if isUnknown { #expect(error?.detail.contains("unknown") == true) }
        }
    }

    // MARK: Error words

    struct Word: Sendable {
        let endpoint: Endpoint
        let spellings: [String]
        let refusal: ServerRefusal
        let status: Status
        let kind: MPinError.Kind

        var blocks: Bool { kind == .blocked || kind == .revoked }

        init(
            _ endpoint: Endpoint, _ spellings: [String], _ refusal: ServerRefusal, _ status: Status,
            _ kind: MPinError.Kind
        ) {
            self.endpoint = endpoint
            self.spellings = spellings
            self.refusal = refusal
            self.status = status
            self.kind = kind
        }
    }

    static let words: [Word] = [
        Word(.laterPass1, ["EXPIRED_MPINID", "MPINID_EXPIRED"], .expiredMPinID, .revoked, .revoked),
        Word(.authenticate, ["REVOKED_MPINID", "MPINID_REVOKED"], .revokedMPinID, .incorrectPIN, .blocked),
        Word(.statement, ["REVOKED_MPINID", "MPINID_REVOKED"], .revokedMPinID, .incorrectPIN, .blocked),
        Word(.laterPass1, ["REVOKED_MPINID", "MPINID_REVOKED"], .revokedMPinID, .revoked, .revoked),
        Word(.registrationCode, ["REVOKED_MPINID", "MPINID_REVOKED"], .revokedMPinID, .revoked, .revoked),
        Word(.keyRegistration, ["REVOKED_MPINID", "MPINID_REVOKED"], .revokedMPinID, .revoked, .revoked),
        Word(.handIn, ["REVOKED_MPINID", "MPINID_REVOKED"], .revokedMPinID, .revoked, .revoked),
        Word(
            .authenticate, ["UNSUCCESSFUL_AUTHENTICATION", "INVALID_AUTH"], .unsuccessfulAuthentication, .incorrectPIN,
            .wrongPIN),
        Word(
            .authenticate, ["INVALID_AUTHENTICATION_SESSION", "INVALID_AUTH_SESSION"], .invalidAuthenticationSession,
            .incorrectAccessNumber, .sessionExpired),
        Word(
            .laterSession, ["INVALID_AUTHENTICATION_SESSION", "INVALID_AUTH_SESSION"], .invalidAuthenticationSession,
            .incorrectAccessNumber, .sessionExpired),
        Word(
            .authenticateForCode, ["LIMITED_QUICKCODE_GENERATION"], .limitedQuickCodeGeneration, .operationNotAllowed,
            .notAllowed),
        Word(
            .registrationCode, ["LIMITED_QUICKCODE_GENERATION"], .limitedQuickCodeGeneration, .operationNotAllowed,
            .notAllowed),
        Word(.registration, ["INVALID_ACTIVATION_TOKEN"], .invalidActivationToken, .identityNotVerified, .codeRefused),
        Word(
            .startVerification, ["REQUEST_BACKOFF", "BACKOFF_ERROR"], .requestBackoff(until: nil), .verificationFailed,
            .mailTooSoon(until: nil)),
        Word(
            .finishVerification, ["UNSUCCESSFUL_VERIFICATION", "INVALID_VERIFICATION_CODE"],
            .unsuccessfulVerification(projectID: nil, accessCode: nil),
            .verificationFailed, .codeRefused),
    ]

    @Test(arguments: words.indices) func takesTheServersWord(_ index: Int) async throws {
        let word = Self.words[index]
        var stage = try await Stage(word.endpoint)
        for spelling in word.spellings {
            // The error word decides, not the status.
            for (body, status) in [
                (#"{"error":"\#(spelling)","info":"x"}"#, 400), (#"{"error":"\#(spelling)"}"#, 500),
                (#"{"requestID":"7","error":{"code":"\#(spelling)","info":"x"}}"#, 403),
            ] {
                stage.reply(Array(body.utf8), status: status)
                let error = try await stage.callFails()
                #expect(error?.status == word.status && error?.refusal == word.refusal, "\(spelling) \(status)")
                #expect(error?.kind == word.kind && error?.isFinalRefusal == word.blocks, "\(spelling) \(status)")
                #expect(error?.detail.contains(word.refusal.code) == true)
                let state = try await stage.device.mpin.user(stage.user.key)?.state
                #expect((state == .blocked) == word.blocks, "\(spelling) \(status)")
                if word.blocks { stage = try await Stage(word.endpoint) }
            }
        }
    }

    /// The status decides when the word is unknown or does not apply to the request.
    @Test(arguments: [
        #"{"error":"REVOKED_MPINID"}"#, #"{"error":"LATER_ERROR"}"#, #"{"error":7}"#, #"{"error":{"code":7}}"#,
        #"{"error":{}}"#, #"{"error":null}"#, "[]", "Invalid access id", "",
    ]) func theNumberCountsWithoutAKnownWord(_ body: String) async throws {
        for endpoint in [Endpoint.laterSession, .registration, .secretURL] {
            let stage = try await Stage(endpoint)
            stage.reply(Array(body.utf8), status: 400)
            let error = try await stage.callFails()
            #expect(error?.status == .httpRequestError && error?.refusal == nil)
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
