// SPDX-License-Identifier: Apache-2.0

import Logging
public import LoginValues

extension MPin {
    /// Asks which service a scanned base URL belongs to, by `GET {baseURL}/service`. If there is no service document,
    /// asks whether there is a project of today's platform.
    ///
    /// - Throws: ``MPinError/Kind/clientTooOld``, ``MPinError/Kind/clientRefused``, ``MPinError/Kind/badReply`` when a
    ///   key is missing, the service is not online or the project is not the configured one,
    ///   ``MPinError/Kind/untrustedHost(_:)``, with `anotherService` when the service names a backend that it may not
    ///   use.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``.
    public func serviceDetails(at baseURL: WebAddress) async throws(MPinError) -> ServiceDetails {
        try requireInitialized("serviceDetails")
        let lifetime = lifetime
        let outcome = try await run(
            ServiceDiscoveryFlow(baseURL: baseURL, configuration: configuration), namedBy: nil)
        let details = outcome.details
        // Checked first: otherwise one service could cause a wrong PIN to be counted at another.
        try way.require(
            details.backendURL.origin, namedBy: details.namedBy,
            for: "the backend at \(details.backendURL.origin), named by \(baseURL.origin)")
        if let project = outcome.project, lifetime == self.lifetime { projects[project.url] = project }
        return details
    }

    /// Checks whether a backend has usable client settings or a project. Changes nothing.
    ///
    /// - Parameters:
    ///   - url: the backend, which has to be on the trust list.
    ///   - rpsPrefix: the path below which it has its client settings; by default `rps`.
    /// - Throws: ``MPinError/Kind/badReply`` also when the settings contradict themselves or the configuration,
    ///   ``MPinError/Kind/untrustedHost(_:)``.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``.
    public func testBackend(_ url: WebAddress, rpsPrefix: String = "rps") async throws(MPinError) {
        try requireInitialized("testBackend")
        _ = try await discover(url, rpsPrefix, namedBy: nil)
    }

    /// Fetches a backend's client settings, or the name of its project, and makes it the current one. If that fails,
    /// the current one stays.
    ///
    /// - Parameters:
    ///   - url: the backend.
    ///   - rpsPrefix: the path below which it has its client settings; by default `rps`.
    ///   - namer: the service that named the backend: ``ServiceDetails/namedBy``. Nil if the caller names it: then the
    ///     backend itself has to be on the trust list.
    /// - Throws: ``MPinError/Kind/misuse`` also when a later call took over while this one waited;
    ///   ``MPinError/Kind/badReply`` also when the settings contradict themselves or the configuration.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``.
    public func setBackend(
        _ url: WebAddress, rpsPrefix: String = "rps", namedBy namer: Origin? = nil
    ) async throws(MPinError) {
        try requireInitialized("setBackend")
        backendAttempts += 1
        let attempt = backendAttempts
        let profile = try await discover(url, rpsPrefix, namedBy: namer)
        guard attempt == backendAttempts else {
            throw MPinError(.misuse, detail: "setBackend: a later call took over")
        }
        let session = session(for: profile, at: url)
        let dialect = try session.dialect()
        if case .trust(let project) = session.profile { projects[project.url] = project }
        backend = session
        work.forgetLogins()
        logger.debug("backend set", metadata: ["backend": "\(url)", "dialect": "\(dialect.name.rawValue)"])
    }

    private func discover(
        _ url: WebAddress, _ rpsPrefix: String, namedBy namer: Origin?
    ) async throws(MPinError) -> BackendProfile {
        // Checked even if known or configured facts make a request unnecessary.
        try way.require(url.origin, namedBy: namer, for: "the backend at \(url.origin)")
        let pinned = configuration.pinnedDialect(of: url)
        if pinned == nil, let project = projects[url.base], configuration.companyID ?? project.id == project.id {
            return .trust(project)
        }
        return try await run(
            BackendDiscoveryFlow(url: url, rpsPrefix: rpsPrefix, pinned: pinned, configuration: configuration),
            namedBy: namer)
    }

    private func session(for profile: BackendProfile, at url: WebAddress) -> BackendSession {
        let pinned = configuration.pinnedDialect(of: url)
        guard case .trust(var project) = profile else {
            return BackendSession(key: BackendKey(url), profile: profile, configuration: configuration, pinned: pinned)
        }
        let key = BackendKey(project.url, projectID: project.id)
        // Only a registration shows a project's generation. Its identity remembers it.
        if project.generation == nil {
            project.generation =
                identities.keys.contains { $0.backend == key.text && identities[$0]?.dialect == .trust2023 }
                ? .trust2023 : nil
        }
        return BackendSession(key: key, profile: .trust(project), configuration: configuration, pinned: pinned)
    }

    /// The dialect that new identities of the backend speak.
    ///
    /// - Throws: ``MPinError/Kind/misuse`` when no backend is set.
    public func dialectOfBackend() throws(MPinError) -> DialectName {
        try requireBackend("dialectOfBackend").dialect().name
    }

    /// One of the backend's client settings of any type, as text: `accessNumberDigits`, `setDeviceName` (`true`
    /// or `false`), `appID`, or any other.
    ///
    /// - Returns: nil when the backend has no such setting, or one that is a list or an object.
    /// - Throws: ``MPinError/Kind/misuse`` when no backend is set.
    public func clientParameter(_ key: String) throws(MPinError) -> String? {
        try requireBackend("clientParameter").profile.parameters[key]
    }

    /// Asks the server about a scanned session. This also tells the server that its code was scanned. The details are
    /// empty when the backend offers none.
    ///
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``.
    public func sessionDetails(for code: AccessCode) async throws(MPinError) -> SessionDetails {
        let backend = try requireBackend("sessionDetails")
        let dialect = try backend.dialect()
        guard let exchange = dialect.sessionDetails(for: code) else { return SessionDetails() }
        return try await run(exchange, namedBy: dialect.backend.origin)
    }

    /// Tells the server that the person gave the session up. Does nothing if the backend has no such request.
    ///
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``.
    public func abortSession(_ code: AccessCode) async throws(MPinError) {
        let backend = try requireBackend("abortSession")
        let dialect = try backend.dialect()
        guard let exchange = dialect.abortSession(code) else { return }
        try await run(exchange, namedBy: dialect.backend.origin)
    }

    /// Begins a session at the platform for this application's own login: `POST` to the authorization URL that the
    /// application's server gave. Needs no backend. If one is set, its replies must be allowed to name the URL:
    /// otherwise an application could pass off the code of another application's browser as its own.
    ///
    /// - Throws: ``MPinError/Kind/badReply`` when the reply has no access code, ``MPinError/Kind/untrustedHost(_:)``.
    /// - Note: Must not be repeated: after an error ask the application's server for another URL.
    public func accessCode(fromAuthorizationURL url: WebAddress) async throws(MPinError) -> AccessCode {
        try requireInitialized("accessCode")
        return try await run(
            Exchange<AccessCode>.accessCode(from: url, configuration), namedBy: try backend?.dialect().backend.origin)
    }
}
