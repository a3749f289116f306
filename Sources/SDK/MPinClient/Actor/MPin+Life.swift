// SPDX-License-Identifier: Apache-2.0

import Logging

extension MPin {
    /// Loads the stored identities and makes the client ready for ``setBackend(_:rpsPrefix:namedBy:)``. A second call
    /// does nothing.
    ///
    /// - Parameter customHeaders: sent with every request. They override headers of the same name of the SDK and of
    ///   ``Configuration/customHeaders``.
    /// - Throws: ``MPinError/Kind/storage(_:)``; ``MPinError/Kind/misuse`` when a header cannot be sent or appears
    ///   twice, or when the client was destroyed during the call.
    public func initialize(customHeaders: [HTTPHeader] = []) async throws(MPinError) {
        guard !isInitialized else { return }
        let configuration = try configuration(adding: customHeaders, in: "initialize")
        let lifetime = lifetime
        let stored: [StoredIdentity]
        do { stored = try await storage.identities() } catch { throw MPinError(error, doing: "loading the identities") }
        var list = IdentityList()
        for identity in stored {
            do throws(RecordError) { try list.take(identity) } catch { throw MPinError(error, key: identity.key) }
        }
        guard lifetime == self.lifetime else {
            throw MPinError(.misuse, detail: "initialize: the client was destroyed meanwhile")
        }
        // Another call may have done the same while this one waited.
        guard !isInitialized else { return }
        self.configuration = configuration
        identities = list
        isInitialized = true
        logger.debug("identities loaded", metadata: ["count": "\(list.keys.count)"])
    }

    /// Forgets everything in memory: headers, client id, added domains, backend, identities, secret shares, logout
    /// data. Stored identities stay. ``initialize(customHeaders:)`` may follow, with other headers.
    ///
    /// - Throws: ``MPinError/Kind/misuse`` while a call on an identity is under way; nothing has changed then.
    public func destroy() throws(MPinError) {
        guard !work.isBusy else {
            throw MPinError(.misuse, detail: "destroy: a call on an identity is under way; wait for it")
        }
        lifetime += 1
        backendAttempts += 1
        isInitialized = false
        backend = nil
        configuration = initialConfiguration
        clearTrustedDomains()
        identities = IdentityList()
        guests.removeAll()
        projects.removeAll()
        work = IdentitiesInWork()
    }

    /// Sets the client's id at the backend for all later requests: company, customer or project, `X-MIRACL-CID`, and
    /// in the milagro dialect `X-MIRACL-Client-ID` too. A service may refuse clients without one, so set it before
    /// ``setBackend(_:rpsPrefix:namedBy:)``. If the current backend is of another project, no backend is set
    /// afterwards.
    ///
    /// - Parameter clientID: nil sends none.
    /// - Throws: ``MPinError/Kind/misuse`` when it cannot be sent in a header.
    public func setClientID(_ clientID: String?) throws(MPinError) {
        var configuration = configuration
        configuration.companyID = clientID
        try MPin.requireValidHeaders(configuration, in: "setClientID")
        let isOther = configuration.companyID == nil && !(backend?.profile.projectID ?? "").isEmpty
        take(configuration)
        if isOther { backend = nil }
    }

    static func requireValidHeaders(
        _ configuration: Configuration, in call: StaticString
    ) throws(MPinError) {
        let headers = RequestHeaders.make(for: .post, configuration)
        let names = Set(headers.map { $0.name.lowercased() })
        guard headers.allSatisfy(\.isValid), names.count == headers.count else {
            throw MPinError(
                .misuse,
                detail: "\(call): a header cannot be sent: names are tokens, each there once, values visible ASCII")
        }
    }
}
