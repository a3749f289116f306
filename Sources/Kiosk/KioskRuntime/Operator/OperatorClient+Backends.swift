// SPDX-License-Identifier: Apache-2.0

import KioskMachine
public import LoginValues
public import MPinClient

extension OperatorClient {
    /// Makes a backend the current one.
    ///
    /// - Parameters:
    ///   - url: the address of its client settings or of its project's configuration.
    ///   - rpsPrefix: nil takes the prefix that the service names, else the usual one.
    public func open(_ url: WebAddress, rpsPrefix: String?) async throws(CommandFailure) {
        try trust.require(url.origin)
        let described: Result<String?, MPinError> =
            rpsPrefix == nil ? try await describedPrefix(url) : .success(nil)
        do throws(CommandFailure) {
            try await call("backend", .connecting) { () throws(MPinError) in
                try await sdk.setBackend(url, rpsPrefix: rpsPrefix ?? (try? described.get()) ?? "rps")
            }
        } catch {
            // As a login tells it: the service itself was the first to fail.
            guard case .failure(let first) = described, first.kind == .badReply || first.kind == .serverFailed else {
                throw error
            }
            throw failure(first, of: "service", .readingService)
        }
    }

    /// Returns the prefix that the service names for the backend, if there is a service and it names this backend.
    ///
    /// - Returns: the failure when there is no service, or none that answers. The backend may be there all the same.
    /// - Throws: when the service refuses this client altogether.
    private func describedPrefix(_ url: WebAddress) async throws(CommandFailure) -> Result<String?, MPinError> {
        do throws(MPinError) {
            let details = try await sdk.serviceDetails(at: url)
            return .success(details.backendURL.base == url.base ? details.rpsPrefix : nil)
        } catch {
            guard error.kind == .clientTooOld || error.kind == .clientRefused else { return .failure(error) }
            throw failure(error, of: "backend", .connecting)
        }
    }

    /// Makes the backend of an identity the current one.
    ///
    /// - Parameters:
    ///   - backend: its URL if the operator named it; nil takes the identity's, with the scheme of its registration.
    ///   - rpsPrefix: as for a backend that is named by its URL.
    public func open(_ user: User, backend: String?, rpsPrefix: String?) async throws(CommandFailure) {
        let candidates = [backend ?? "", "\(user.isOverHTTP ? "http" : "https")://\(user.backend)"]
        let urls = candidates.compactMap { try? WebAddress($0) }
        guard let url = urls.first(where: { trust.allows($0.origin) }) else {
            if let first = urls.first { try trust.require(first.origin) }
            throw CommandFailure(.untrusted)
        }
        try await open(url, rpsPrefix: rpsPrefix)
        let isThere = try await call("backend", .connecting) { () throws(MPinError) in
            try await sdk.users().contains { $0.key == user.key }
        }
        // The address now belongs to another project than the identity's.
        guard isThere else { throw CommandFailure(.invalidConfiguration) }
    }

    /// Opens the backend of a login page's QR code.
    ///
    /// - Returns: the code of the page's session, and the host at which a PIN takes effect.
    public func open(symbol: SecretBytes) async throws(CommandFailure) -> (code: AccessCode, place: PINContext) {
        guard let request = try? symbol.withBytes({ try LoginRequest(symbol: $0) }) else {
            throw CommandFailure(.invalidCode)
        }
        try trust.require(request.baseURL.origin)
        let service = try await call("service", .readingService) { () throws(MPinError) in
            try await sdk.serviceDetails(at: request.baseURL)
        }
        try await call("backend", .connecting) { () throws(MPinError) in
            try await sdk.setBackend(service.backendURL, rpsPrefix: service.rpsPrefix, namedBy: service.namedBy)
        }
        return (request.accessCode, PINContext(backend: service.backendURL.origin, service: request.baseURL.origin))
    }
}

extension TrustPolicy {
    /// Refuses an origin, named by a person or a code, that the trust list does not allow.
    func require(_ origin: Origin) throws(CommandFailure) {
        switch judge(origin) {
        case .allowed: break
        case .refused(.loopbackHTTP): throw CommandFailure(.loopbackHTTP)
        case .refused: throw CommandFailure(.untrusted)
        }
    }
}
