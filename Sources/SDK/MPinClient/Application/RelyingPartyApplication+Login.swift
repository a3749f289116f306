// SPDX-License-Identifier: Apache-2.0

import Encoding
public import LoginValues

extension RelyingPartyApplication {
    /// The address at which a login in the application's name begins: `POST /authzurl`, or `GET` for servers that only
    /// know that.
    ///
    /// - Returns: the argument of ``MPin/accessCode(fromAuthorizationURL:)``; good for one login.
    /// - Throws: ``MPinError/Kind/clientRefused`` and ``MPinError/Kind/clientTooOld`` when this client may not use the
    ///   service; ``MPinError/Kind/badReply`` when the reply has no `authorizeURL`;
    ///   ``MPinError/Kind/untrustedHost(_:)``, also when it names a host that this application may not use.
    public func authorizationURL() async throws(MPinError) -> WebAddress {
        let url = try await namedAuthorizationURL()
        try way.require(
            url.origin, namedBy: address.origin,
            for: "the authorization URL at \(url.origin), named by \(address.origin)")
        return url
    }

    private func namedAuthorizationURL() async throws(MPinError) -> WebAddress {
        let post = try authorization(.post)
        let outcome = await outcome(of: post)
        if case .answered(let response) = outcome, [404, 405, 501].contains(response.status) {
            return try await run(try authorization(.get))
        }
        return try post.reply(from: outcome)
    }

    private func authorization(_ method: HTTPRequest.Method) throws(MPinError) -> Exchange<WebAddress> {
        let kind = RequestKind.applicationAuthorization
        // Repeatable: the session begins at the platform, not here.
        let request = try request(method, "/authzurl", kind, isRepeatable: true)
        return Exchange(kind, request, success: 200...200) { object throws(JSONError) in
            let text = try object.string("authorizeURL")
            do throws(WebAddressError) { return try WebAddress(text) } catch {
                throw JSONError("`authorizeURL` is not a web address: \(error.rawValue)")
            }
        }
    }

    /// Hands over the authorization code of a login: `POST /authtoken`. When this returns the person is logged in.
    ///
    /// - Parameters:
    ///   - authorizationCode: from ``MPin/finishAuthenticationMFA(of:pin:pin1:accessCode:)``; good for one call.
    ///   - userID: the user who logged in; the server compares it with the platform's answer.
    /// - Throws: ``MPinError/Kind/notAuthorized`` when another user logged in or this one may not;
    ///   ``MPinError/Kind/requestRefused`` when the server refuses the code, ``MPinError/Kind/serverFailed`` when it
    ///   could not ask the platform. The detail ends with the server's sentence. ``MPinError/Kind/outcomeUnknown``
    ///   when the code may have counted.
    public func submit(authorizationCode: SecretBytes, userID: String) async throws(MPinError) {
        let kind = RequestKind.applicationLogin
        let body = JSONBody([("code", .secretText(authorizationCode)), ("userID", .text(userID))]).encoded()
        let request = try request(.post, "/authtoken", kind, type: "application/json; charset=UTF-8", body: body)
        // The body wraps a token that the application does not need.
        let exchange = Exchange<Void>(call: Call(kind: kind, request: request), success: 200...200) {
            reply throws(JSONError) in
            // Servers do not repeat the code. The platform's reply with the code does, and it decided nothing here.
            guard authorizationCode.count < 8 || !ServerSentence.repeats(reply, authorizationCode) else {
                throw JSONError("the reply is the one that brought the authorization code")
            }
        }
        let outcome = await outcome(of: exchange)
        do { try exchange.reply(from: outcome) } catch {
            switch outcome {
            case .failed(_, let mayHaveBeenSent): throw mayHaveBeenSent ? error.withUnknownOutcome() : error
            case .answered(let response) where exchange.success.contains(response.status):
                // This is the reply to another request. It may contain that request's secrets, and has no meaning for
                // this login.
                way.transport.distrustConnections(to: exchange.call.request.url.origin)
                throw error.withUnknownOutcome()
            case .answered(let response):
                guard let sentence = ServerSentence.read(response.body, hiding: authorizationCode) else { throw error }
                throw error.adding(": \(sentence)")
            }
        }
    }
}
