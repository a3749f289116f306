// SPDX-License-Identifier: Apache-2.0

import CurlTransport
import LoginValues
import MPinClient
import Synchronization

/// The kiosk's way to the network, which can be exchanged under all its users: with other certificate authorities, and
/// with another trust list. A caller with an older list can no longer reach what the newer one does not name at all.
final class RenewableTransport: HTTPTransport {
    private let state: Mutex<(transport: CurlHTTPTransport, trust: TrustPolicy)>

    init(_ transport: CurlHTTPTransport, trust: TrustPolicy) { state = Mutex((transport, trust)) }

    var trust: TrustPolicy { state.withLock { $0.trust } }

    func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse {
        let (transport, trust) = state.withLock { ($0.transport, $0.trust) }
        let origin = request.url.origin
        // As any service of the list, or behind any arrow: which of them may name which is judged before.
        guard case .allowed = trust.judge(origin, namedBy: origin) else {
            throw HTTPTransportError(
                .addressRefused, requestMayHaveBeenSent: false,
                detail: "the trust list does not name \(origin.place) any more")
        }
        // The keys that the newest list has for the host are the ones that count.
        return try await transport.send(request, trusting: trust)
    }

    var checksPins: Bool { true }

    func distrustConnections(to origin: Origin) { state.withLock { $0.transport }.distrustConnections(to: origin) }

    /// From the next request on. Those on their way end as they would have.
    func renew(_ transport: CurlHTTPTransport, trust: TrustPolicy) {
        let former = state.withLock { state in
            defer { state = (transport, trust) }
            return state.transport
        }
        // Its thread is waited for when the last request lets it go, which must not be within the lock.
        withExtendedLifetime(former) {}
    }
}
