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
        try require(url.origin)
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
            guard error.kind == .clientTooOld || error.kind == .clientRefused else { return nil }
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
        let urls = candidates.compactMap { try? WebAddress($0) }
        guard let url = urls.first(where: { trust.allows($0.origin) }) else {
            if let first = urls.first { try require(first.origin) }
            throw RunFailure(.untrusted)
        }
        try await open(url, rpsPrefix: rpsPrefix)
        let isThere = try await call("backend", .connecting) { () throws(MPinError) in
            try await sdk.users().contains { $0.key == user.key }
        }
        // The address is another project's now, or another one's than the identity's.
        guard isThere else { throw RunFailure(.invalidConfiguration) }
    }

    /// What a person or a code names.
    private func require(_ origin: Origin) throws(RunFailure) {
        switch trust.judge(origin) {
        case .allowed: break
        case .refused(.loopbackHTTP): throw RunFailure(.loopbackHTTP)
        case .refused: throw RunFailure(.untrusted)
        }
    }

    /// Opens what the QR code of a login page leads to.
    ///
    /// - Returns: the code of the page's session, and where a PIN takes effect.
    public func open(symbol: SecretBytes) async throws(RunFailure) -> (code: AccessCode, place: PINPlace) {
        guard let request = try? symbol.withBytes({ try LoginRequest(symbol: $0) }) else {
            throw RunFailure(.invalidCode)
        }
        try require(request.baseURL.origin)
        let service = try await call("service", .readingService) { () throws(MPinError) in
            try await sdk.serviceDetails(at: request.baseURL)
        }
        try await call("backend", .connecting) { () throws(MPinError) in
            try await sdk.setBackend(service.backendURL, rpsPrefix: service.rpsPrefix, namedBy: service.namedBy)
        }
        return (request.accessCode, PINPlace(backend: service.backendURL.origin, service: request.baseURL.origin))
    }
}
