// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// The table of refusals for the dialects since 2018: status codes, and the server's error words in both spellings
/// and both forms.
@Suite struct PlatformStatusTests {
    static let verdicts: [Int: Status] = [
        401: .incorrectPIN, 403: .identityNotAuthorized, 408: .requestExpired, 409: .clientSecretExpired,
        410: .incorrectPIN, 412: .incorrectAccessNumber,
    ]

    static let overrides: [PlatformEndpoint: [Int: Status]] = [
        .register: [403: .identityNotAuthorized, 404: .registrationExpired],
        .registration: [403: .identityNotAuthorized],
        .signature: [400: .identityNotVerified, 401: .identityNotVerified, 404: .registrationExpired],
        .share: [408: .requestExpired], .secretURL: [408: .requestExpired],
        .authenticate: verdicts, .statement: verdicts,
        .authenticateForCode: verdicts.merging([403: .operationNotAllowed]) { $1 },
    ]

    static let codes = [
        199, 201, 204, 299, 300, 302, 400, 401, 403, 404, 405, 406, 408, 409, 410, 412, 429, 500, 503, 999,
    ]

    static let kinds: [PlatformEndpoint: [Int: MPinError.Kind]] = [
        // Both are sent with a code.
        .register: [403: .codeRefused, 404: .registrationGone],
        .registration: [403: .codeRefused],
        .signature: [400: .registrationGone, 401: .notVerified, 404: .registrationGone],
        .keyRegistration: [400: .registrationGone, 404: .registrationGone],
        .authenticate: StatusTests.verdictKinds, .statement: StatusTests.verdictKinds,
        .authenticateForCode: StatusTests.verdictKinds.merging([403: .notAllowed]) { $1 },
        .startVerification: [429: .mailTooSoon(until: nil)], .finishVerification: [429: .busy],
    ]

    static func kind(_ code: Int, of endpoint: PlatformEndpoint) -> MPinError.Kind {
        // Where the addresses of both shares work until one is served, this refusal is final too.
        if endpoint == .share || endpoint == .secretURL { return .registrationGone }
        if let kind = kinds[endpoint]?[code] { return kind }
        if endpoint == .startVerification, 400...499 ~= code { return .verificationRefused }
        if endpoint == .finishVerification, 400...499 ~= code { return .codeRefused }
        let kind = StatusTests.genericKind(code)
        return (endpoint.isFinal || endpoint == .handIn) && kind == .badReply ? .outcomeUnknown : kind
    }

    @Test(arguments: PlatformEndpoint.allCases) func mapsEveryStatus(_ endpoint: PlatformEndpoint) async throws {
        var stage = try await PlatformStage(endpoint)
        let isTrust = endpoint.generation != .mfaV2
        for code in Self.codes {
            // Another test covers the other meanings.
            if endpoint == .registration, code == 404 || code == 405 { continue }
            if [.signingSession, .dvsSession].contains(endpoint) {
                // Both ways fail.
                stage.device.transport.on(.post, "*", .status(code))
            } else {
                stage.device.transport.on(endpoint.method, endpoint.path, .status(code))
            }
            let error = try await stage.callFails()
            let isSuccess = (isTrust ? 200...299 : 200...200).contains(code)
            if endpoint == .project {
                #expect(error?.httpStatus == 404 && error?.status == .httpRequestError)
            } else if isSuccess {
                // An empty body is valid where the reply is not read.
                let mayBeEmpty: [PlatformEndpoint] = [
                    .abort, .sessionDetails, .startVerification, .authenticate, .authenticateForCode, .handIn,
                    .quickCode,
                ]
                #expect((error == nil) == mayBeEmpty.contains(endpoint), "\(code)")
            } else {
                let isVerification = [.startVerification, .finishVerification].contains(endpoint)
                let expected =
                    Self.overrides[endpoint]?[code]
                    ?? (isVerification ? .verificationFailed : StatusTests.generic(code))
                #expect(error?.status == expected, "\(code)")
                #expect(error?.kind == Self.kind(code, of: endpoint), "\(code)")
                #expect(error?.httpStatus == code)
            }
            let blocks = endpoint.isFinal && code == 410
            if [.pass1, .pass2].contains(endpoint) || endpoint.isFinal {
                #expect((try await stage.device.mpin.user(stage.user.key)?.state == .blocked) == blocks, "\(code)")
            }
            if blocks { stage = try await PlatformStage(endpoint) }
        }
    }

    struct Word: Sendable {
        let endpoint: PlatformEndpoint
        let spellings: [String]
        let code: ServerRefusal.Code
        let status: Status
        let kind: MPinError.Kind

        var blocks: Bool { kind == .blocked || kind == .revoked }

        init(
            _ endpoint: PlatformEndpoint, _ spellings: [String], _ code: ServerRefusal.Code, _ status: Status,
            _ kind: MPinError.Kind
        ) {
            self.endpoint = endpoint
            self.spellings = spellings
            self.code = code
            self.status = status
            self.kind = kind
        }
    }

    static let words: [Word] = [
        Word(.pass1, ["EXPIRED_MPINID", "MPINID_EXPIRED"], .expiredMPinID, .revoked, .revoked),
        Word(.authenticate, ["REVOKED_MPINID", "MPINID_REVOKED"], .revokedMPinID, .incorrectPIN, .blocked),
        Word(.statement, ["REVOKED_MPINID", "MPINID_REVOKED"], .revokedMPinID, .incorrectPIN, .blocked),
        Word(.pass1, ["REVOKED_MPINID", "MPINID_REVOKED"], .revokedMPinID, .revoked, .revoked),
        Word(.quickCode, ["REVOKED_MPINID", "MPINID_REVOKED"], .revokedMPinID, .revoked, .revoked),
        Word(.keyRegistration, ["REVOKED_MPINID", "MPINID_REVOKED"], .revokedMPinID, .revoked, .revoked),
        Word(.handIn, ["REVOKED_MPINID", "MPINID_REVOKED"], .revokedMPinID, .revoked, .revoked),
        Word(
            .authenticate, ["UNSUCCESSFUL_AUTHENTICATION", "INVALID_AUTH"], .unsuccessfulAuthentication, .incorrectPIN,
            .wrongPIN),
        Word(
            .authenticate, ["INVALID_AUTHENTICATION_SESSION", "INVALID_AUTH_SESSION"], .invalidAuthenticationSession,
            .incorrectAccessNumber, .sessionExpired),
        Word(
            .sessionDetails, ["INVALID_AUTHENTICATION_SESSION", "INVALID_AUTH_SESSION"], .invalidAuthenticationSession,
            .incorrectAccessNumber, .sessionExpired),
        Word(
            .authenticateForCode, ["LIMITED_QUICKCODE_GENERATION"], .limitedQuickCodeGeneration, .operationNotAllowed,
            .notAllowed),
        Word(
            .quickCode, ["LIMITED_QUICKCODE_GENERATION"], .limitedQuickCodeGeneration, .operationNotAllowed,
            .notAllowed),
        Word(.registration, ["INVALID_ACTIVATION_TOKEN"], .invalidActivationToken, .identityNotVerified, .codeRefused),
        Word(
            .startVerification, ["REQUEST_BACKOFF", "BACKOFF_ERROR"], .requestBackoff, .verificationFailed,
            .mailTooSoon(until: nil)),
        Word(
            .finishVerification, ["UNSUCCESSFUL_VERIFICATION", "INVALID_VERIFICATION_CODE"], .unsuccessfulVerification,
            .verificationFailed, .codeRefused),
    ]

    @Test(arguments: words.indices) func takesTheServersWord(_ index: Int) async throws {
        let word = Self.words[index]
        var stage = try await PlatformStage(word.endpoint)
        for spelling in word.spellings {
            // The error word decides, not the status.
            for (body, status) in [
                (#"{"error":"\#(spelling)","info":"x"}"#, 400), (#"{"error":"\#(spelling)"}"#, 500),
                (#"{"requestID":"7","error":{"code":"\#(spelling)","info":"x"}}"#, 403),
            ] {
                stage.reply(Array(body.utf8), status: status)
                let error = try await stage.callFails()
                #expect(error?.status == word.status && error?.refusal?.code == word.code, "\(spelling) \(status)")
                #expect(error?.kind == word.kind && error?.isFinalRefusal == word.blocks, "\(spelling) \(status)")
                #expect(error?.detail.contains(word.code.rawValue) == true)
                let state = try await stage.device.mpin.user(stage.user.key)?.state
                #expect((state == .blocked) == word.blocks, "\(spelling) \(status)")
                if word.blocks { stage = try await PlatformStage(word.endpoint) }
            }
        }
    }

    /// The status decides when the word is unknown or does not apply to the request.
    @Test(arguments: [
        #"{"error":"REVOKED_MPINID"}"#, #"{"error":"LATER_ERROR"}"#, #"{"error":7}"#, #"{"error":{"code":7}}"#,
        #"{"error":{}}"#, #"{"error":null}"#, "[]", "Invalid access id", "",
    ]) func otherwiseTheNumberCounts(_ body: String) async throws {
        for endpoint in [PlatformEndpoint.sessionDetails, .registration, .secretURL] {
            let stage = try await PlatformStage(endpoint)
            stage.reply(Array(body.utf8), status: 400)
            let error = try await stage.callFails()
            #expect(error?.status == .httpRequestError && error?.refusal == nil)
        }
    }

    @Test(arguments: PlatformEndpoint.allCases) func failsWithoutReply(_ endpoint: PlatformEndpoint) async throws {
        let stage = try await PlatformStage(endpoint)
        for mayHaveBeenSent in [false, true] {
            let failure = HTTPTransportError(.timedOut, requestMayHaveBeenSent: mayHaveBeenSent, detail: "planned")
            stage.device.transport.on(endpoint.method, endpoint.path, .failure(failure))
            let error = try await stage.callFails()
            #expect(error?.status == (endpoint == .project ? .httpRequestError : .networkError))
            let isOpen = endpoint == .pass2 || endpoint.isFinal || endpoint == .handIn
            #expect(error?.outcomeIsUnknown == (isOpen && mayHaveBeenSent))
            let kind: MPinError.Kind =
                switch endpoint {
                case .project: .requestRefused
                case .share: .registrationGone
                default: isOpen && mayHaveBeenSent ? .outcomeUnknown : .network
                }
            #expect(error?.kind == kind)
        }
    }
}
