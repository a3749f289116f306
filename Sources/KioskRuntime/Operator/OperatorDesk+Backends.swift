// SPDX-License-Identifier: Apache-2.0

import KioskCore
public import LoginValues
public import MPinClient

extension OperatorDesk {
    /// Makes a backend the current one.
    ///
    /// - Parameters:
    ///   - url: where its client settings or its project's configuration are.
    ///   - rpsPrefix: nil takes what the service says that is there, else the usual one.
    public func open(_ url: WebAddress, rpsPrefix: String?) async throws(RunFailure) {
        guard trust.allows(url.origin) else { throw RunFailure(.untrusted) }
        try await call("backend", .connecting) { () throws(MPinError) in
            let described = rpsPrefix == nil ? try await describedPrefix(url) : nil
            try await sdk.setBackend(url, rpsPrefix: rpsPrefix ?? described ?? "rps")
        }
    }

    /// What the service says about the backend, if it is there and about this one.
    ///
    /// - Throws: when the service refuses this client altogether. Everything else shows at the backend itself.
    private func describedPrefix(_ url: WebAddress) async throws(MPinError) -> String? {
        do throws(MPinError) {
            let details = try await sdk.serviceDetails(at: url)
            return details.backendURL.base == url.base ? details.rpsPrefix : nil
        } catch {
            guard error.status == .badClientVersion || error.status == .badUserAgent else { return nil }
            throw error
        }
    }

    /// Makes the backend of an identity the current one.
    ///
    /// - Parameters:
    ///   - backend: its URL where somebody named it; else https, and http only where that is allowed.
    ///   - rpsPrefix: as for a backend that is named by its URL.
    public func open(_ user: User, backend: String?, rpsPrefix: String?) async throws(RunFailure) {
        let candidates = [backend ?? "", "http://\(user.backend)", "https://\(user.backend)"]
        let url = candidates.lazy.compactMap { try? WebAddress($0) }.first { trust.allows($0.origin) }
        guard let url else { throw RunFailure(.untrusted) }
        try await open(url, rpsPrefix: rpsPrefix)
        let isThere = try await call("backend", .connecting) { () throws(MPinError) in
            try await sdk.users().contains { $0.key == user.key }
        }
        // The address is another project's now, or another one's than the identity's.
        guard isThere else { throw RunFailure(.invalidConfiguration) }
    }

    /// Opens what the QR code of a login page leads to.
    ///
    /// - Returns: the code of the page's session.
    public func open(symbol: SecretBytes) async throws(RunFailure) -> AccessCode {
        guard let request = try? symbol.withBytes({ try LoginRequest(symbol: $0) }) else {
            throw RunFailure(.invalidCode)
        }
        guard trust.allows(request.baseURL.origin) else { throw RunFailure(.untrusted) }
        let service: ServiceDetails
        do throws(MPinError) { service = try await sdk.serviceDetails(at: request.baseURL) } catch {
            _ = failure(error, of: "service", .connecting)
            throw RunFailure(
                KioskFailure(error).connectingOutcome(serviceIsKnown: false), status: error.status.name)
        }
        try await open(service.backendURL, rpsPrefix: service.rpsPrefix)
        return request.accessCode
    }
}
