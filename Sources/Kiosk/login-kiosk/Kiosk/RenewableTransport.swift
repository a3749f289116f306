// SPDX-License-Identifier: Apache-2.0

import CurlTransport
import LoginValues
import MPinClient
import Synchronization

/// The kiosk's transport. Certificate authorities and trust list can be replaced while others use it. A caller with an
/// older list can no longer reach hosts that the newer one does not name at all.
final class RenewableTransport: HTTPTransport {
    private let state: Mutex<(transport: CurlHTTPTransport, trust: TrustPolicy)>

    init(_ transport: CurlHTTPTransport, trust: TrustPolicy) { state = Mutex((transport, trust)) }

    var trust: TrustPolicy { state.withLock { $0.trust } }

    func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse {
        let (transport, trust) = state.withLock { ($0.transport, $0.trust) }
        let origin = request.url.origin
        // Allowed as a service, or as its target: the caller has checked which service names the host.
        guard case .allowed = trust.check(origin, namedBy: origin) else {
            throw HTTPTransportError(
                .addressRefused, requestMayHaveBeenSent: false,
                detail: "the trust list does not name \(origin.hostAndPort) any more")
        }
        // The pins of the newest list count.
        return try await transport.send(request, trusting: trust)
    }

    var checksPins: Bool { true }

    func distrustConnections(to origin: Origin) { state.withLock { $0.transport }.distrustConnections(to: origin) }

    /// Replaces the transport from the next request on. Requests under way end as before.
    func renew(_ transport: CurlHTTPTransport, trust: TrustPolicy) {
        let former = state.withLock { state in
            defer { state = (transport, trust) }
            return state.transport
        }
        // Releasing the last reference waits for its thread, which must not happen within the lock.
        withExtendedLifetime(former) {}
    }
}
