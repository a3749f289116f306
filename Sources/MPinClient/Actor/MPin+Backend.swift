// SPDX-License-Identifier: Apache-2.0

import Logging
public import LoginValues

extension MPin {
    /// Asks a scanned base URL what service it belongs to: `GET {baseURL}/service`.
    ///
    /// - Throws: ``Status/badClientVersion`` (412), ``Status/badUserAgent`` (406), ``Status/responseParseError`` when a
    ///   key is missing or the service is not online, ``Status/untrustedDomainError``.
    public func serviceDetails(at baseURL: WebAddress) async throws(MPinError) -> ServiceDetails {
        try requireInitialized("serviceDetails")
        return try await run(Exchange.serviceDetails(at: baseURL, configuration))
    }

    /// Whether a backend answers with client settings that can be used. Changes nothing.
    public func testBackend(_ url: WebAddress, rpsPrefix: String = "rps") async throws(MPinError) {
        try requireInitialized("testBackend")
        _ = try await run(Exchange.clientSettings(of: url, rpsPrefix: rpsPrefix, configuration))
    }

    /// Fetches a backend's client settings and makes it the current one. When that fails, the current one stays.
    ///
    /// - Throws: ``Status/flowError`` also when a later call took over while this one waited.
    public func setBackend(_ url: WebAddress, rpsPrefix: String = "rps") async throws(MPinError) {
        try requireInitialized("setBackend")
        backendAttempts += 1
        let attempt = backendAttempts
        let settings = try await run(Exchange.clientSettings(of: url, rpsPrefix: rpsPrefix, configuration))
        guard attempt == backendAttempts else {
            throw MPinError(status: .flowError, detail: "setBackend: a later call took over")
        }
        let session = BackendSession(
            key: BackendSession.key(of: url), settings: settings, configuration: configuration)
        backend = session
        startedAuthentications.removeAll()
        logger.debug("backend set", metadata: ["backend": "\(url)", "dialect": "\(session.dialect.name)"])
    }

    /// One of the backend's client settings as text, whatever its type is there: `accessNumberDigits`, `setDeviceName`
    /// (`true` or `false`), `appID`, or any other.
    ///
    /// - Returns: nil when the backend has no such setting, or one that is a list or an object.
    /// - Throws: ``Status/flowError`` when no backend is set.
    public func clientParameter(_ key: String) throws(MPinError) -> String? {
        try requireBackend("clientParameter").settings.parameters[key]
    }

    /// What a scanned session tells about itself; tells the server that its code was scanned. Empty details when the
    /// backend offers none.
    public func sessionDetails(for code: AccessCode) async throws(MPinError) -> SessionDetails {
        let backend = try requireBackend("sessionDetails")
        guard let exchange = backend.dialect.sessionDetails(for: code) else { return SessionDetails() }
        return try await run(exchange)
    }

    /// Tells the server that the person gave the session up. Does nothing when the backend does not want to know.
    public func abortSession(_ code: AccessCode) async throws(MPinError) {
        let backend = try requireBackend("abortSession")
        guard let exchange = backend.dialect.abortSession(code) else { return }
        try await run(exchange)
    }
}
