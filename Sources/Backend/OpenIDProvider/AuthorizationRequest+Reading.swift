// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding

extension AuthorizationRequest {
    /// The longest nonce or state. Applications put more into a state than a number, such as a sealed address to go on
    /// at.
    static let longestEcho = 4096

    /// Whether a nonce or state may come back in an address or a token.
    static func isEcho(_ text: String?) -> Bool { (text ?? "").utf8.count <= longestEcho }

    /// The parameters that are read. None may occur twice. Others are ignored (RFC 6749, section 3.1): `resource` may
    /// occur more than once (RFC 8707, section 2).
    private static let names: Set<String> = [
        "client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method", "prompt", "max_age", "id_token_hint", "request", "request_uri", "registration",
    ]

    /// Reads the parameters that a browser brought.
    /// - Parameter client: the client that they name; nil if it is unknown.
    /// - Throws: `AuthorizationRefusal`; a redirect only when the client is known and the redirect URI is its own.
    init(_ all: FormFields, of client: OpenIDClient?) throws(AuthorizationRefusal) {
        let fields = all.withoutEmptyValues
        let repeated = fields.repeatedNames.intersection(Self.names)
        guard let client, fields["client_id"] == client.id, !repeated.contains("client_id") else {
            throw .page(.unknownApplication(SentField("client_id", in: fields, repeated)))
        }
        guard let redirectURI = fields["redirect_uri"], client.owns(redirectURI),
            !repeated.contains("redirect_uri")
        else { throw .page(.redirectURI(SentField("redirect_uri", in: fields, repeated), of: client)) }
        let state = repeated.contains("state") ? nil : fields["state"]
        // An application on the person's machine gets no form: only web pages take one.
        let mode =
            repeated.contains("response_mode") || !redirectURI.hasPrefix("http")
            ? nil : fields["response_mode"].flatMap { AuthorizationAnswer.Mode(rawValue: $0) }
        func refuse(_ code: AuthorizationError.Code, _ why: String) -> AuthorizationRefusal {
            .redirect(
                AuthorizationError(
                    code: code, description: why, redirectURI: redirectURI, state: state, mode: mode ?? .query))
        }
        guard repeated.isEmpty else { throw refuse(.invalidRequest, "a parameter occurs twice") }
        guard [state, fields["nonce"]].allSatisfy(Self.isEcho) else {
            throw refuse(.invalidRequest, "state or nonce is too long")
        }
        try Self.requireSupport(of: fields, refuse)
        guard mode != nil || fields["response_mode"] ?? "query" == "query" else {
            throw refuse(.invalidRequest, "response_mode has to be query or form_post")
        }
        let scopes = Set((fields["scope"] ?? "").split(separator: " ").map(String.init))
        guard scopes.contains("openid") else { throw refuse(.invalidScope, "scope has to contain openid") }
        let challenge = try Self.challenge(in: fields, of: client, refuse)
        try Self.requireValidWishes(in: fields, refuse)
        self.init(
            clientID: client.id, redirectURI: redirectURI, scopes: scopes, state: state, nonce: fields["nonce"],
            codeChallenge: challenge, mode: mode)
    }

    private typealias Refuse = (_ code: AuthorizationError.Code, _ reason: String) -> AuthorizationRefusal

    private static func requireSupport(of fields: FormFields, _ refuse: Refuse) throws(AuthorizationRefusal) {
        guard fields["request"] == nil else { throw refuse(.requestNotSupported, "request objects are not read") }
        guard fields["request_uri"] == nil else { throw refuse(.requestURINotSupported, "request_uri is not read") }
        guard fields["registration"] == nil else { throw refuse(.registrationNotSupported, "registration is not read") }
        switch fields["response_type"] {
        case "code": break
        case nil: throw refuse(.invalidRequest, "response_type is missing")
        default: throw refuse(.unsupportedResponseType, "response_type has to be code")
        }
    }

    private static func requireValidWishes(in fields: FormFields, _ refuse: Refuse) throws(AuthorizationRefusal) {
        let wishes = LoginWishes(fields)
        guard !wishes.prompts.contains("none") || wishes.prompts.count == 1 else {
            throw refuse(.invalidRequest, "prompt=none goes with no other")
        }
        guard wishes.maximumAge != nil || fields["max_age"] == nil else {
            throw refuse(.invalidRequest, "max_age has to be a number of seconds")
        }
    }

    /// The challenge of the proof key; nil for none.
    private static func challenge(
        in fields: FormFields, of client: OpenIDClient, _ refuse: Refuse
    ) throws(AuthorizationRefusal) -> String? {
        let method = fields["code_challenge_method"]
        guard let challenge = fields["code_challenge"] else {
            // The key alone proves who redeems a public client's code (RFC 9700, section 2.1.1).
            guard client.mayLeaveOutProofKey, method == nil else {
                throw refuse(.invalidRequest, "code challenge required")
            }
            return nil
        }
        // The method is `plain` if none is named (RFC 7636, section 4.4.1).
        guard method == ProofKey.method else {
            throw refuse(.invalidRequest, "transform algorithm not supported; use S256")
        }
        guard ProofKey.isChallenge(challenge) else { throw refuse(.invalidRequest, "code_challenge is not a digest") }
        return challenge
    }

    /// Reads the authorization URL of an application on a device, which gets its code from the device itself.
    /// - Throws: `Refusal` 400.
    init(application all: FormFields, of client: OpenIDClient?) throws(Refusal) {
        let fields = all.withoutEmptyValues
        guard let client, fields["client_id"] == client.id, fields["response_type"] == "code",
            fields.repeatedNames.isDisjoint(with: Self.names)
        else { throw .invalidData }
        let redirectURI = fields["redirect_uri"] ?? ""
        guard redirectURI.isEmpty || client.owns(redirectURI),
            [fields["state"], fields["nonce"]].allSatisfy(Self.isEcho)
        else { throw .invalidData }
        let challenge = fields["code_challenge"]
        // A public client needs the key to prove who redeems the code.
        guard challenge != nil || !client.isPublic else { throw .invalidData }
        if let challenge {
            guard fields["code_challenge_method"] == ProofKey.method, ProofKey.isChallenge(challenge) else {
                throw .invalidData
            }
        }
        self.init(
            clientID: client.id, redirectURI: redirectURI,
            scopes: Set((fields["scope"] ?? "openid").split(separator: " ").map(String.init)), state: fields["state"],
            nonce: fields["nonce"], codeChallenge: challenge)
    }
}
