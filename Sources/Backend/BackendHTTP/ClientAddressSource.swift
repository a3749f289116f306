// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Foundation
import HTTPTypes
import LinuxSystem
import Logging
import NIOCore
import Synchronization

extension ClientAddress {
    init(_ peer: SocketAddress?) { self = peer?.ipAddress.flatMap { ClientAddress($0) } ?? .unknown }
}

extension ProxyField {
    /// The node of the field's last entry. A proxy appends to the client's text, so only that entry is its own.
    fileprivate func lastNode(of head: HTTPRequest) -> Substring? {
        guard let name = HTTPField.Name(rawValue),
            let last = head.headerFields[values: name].last?.split(separator: ",").last
        else { return nil }
        guard self == .forwarded else { return last }
        for pair in last.split(separator: ";") {
            let halves = pair.split(separator: "=", maxSplits: 1)
            if halves.count == 2, halves[0].trimmingCharacters(in: .whitespaces).lowercased() == "for" {
                return halves[1]
            }
        }
        return nil
    }
}

/// Finds a client's address: the connection's, or behind a trusted proxy the one in the field that the proxy writes.
package struct ClientAddressSource: Sendable {
    let trustedProxies: [Network]
    let field: ProxyField

    package init(trustedProxies: [Network] = [], field: ProxyField = .xForwardedFor) {
        self.trustedProxies = trustedProxies
        self.field = field
    }

    /// Paths that proxies and operators ask for themselves.
    private static let ownQuestions: Set<String?> = ["/readyz", "/healthz"]

    /// The other field is not read: a client can write anything into it.
    /// - Parameter complain: called with the text of a trusted proxy that names no address.
    /// - Returns: for such a proxy the address that all its unnamed clients share.
    func address(
        of head: HTTPRequest, from peer: ClientAddress, complain: (String) -> Void = { _ in }
    ) -> ClientAddress {
        guard isProxy(peer) else { return peer }
        let node = field.lastNode(of: head)
        if let address = node.flatMap({ ClientAddress(node: $0) }) { return address }
        if !Self.ownQuestions.contains(head.path) { complain(node.map(String.init) ?? "") }
        return ClientAddress(unnamedBehind: peer)
    }

    /// Whether the connections of `peer` belong to many clients.
    func isProxy(_ peer: ClientAddress) -> Bool { trustedProxies.contains { $0.contains(peer) } }
}

/// Logs that a trusted proxy names no address of its client: the first time, and then once a minute with the number of
/// requests since the previous line.
final class ProxyComplaint: Sendable {
    static let pause = Duration.seconds(60)

    private struct State {
        var last: Duration?
        var count = 0
    }

    private let time: Timekeeper
    private let state = Mutex(State())

    init(_ time: Timekeeper = Timekeeper(ContinuousClock())) { self.time = time }

    func make(about named: String, in field: ProxyField, _ logger: Logger) {
        let now = time.elapsed()
        let count = state.withLock { state -> Int? in
            state.count += 1
            if let last = state.last, now - last < Self.pause { return nil }
            defer { state = State(last: now) }
            return state.count
        }
        guard let count else { return }
        logger.error(
            "a trusted proxy names no address of its client: such clients share one bound and are at no place",
            metadata: [
                "requests": "\(count)", "field": "\(field.rawValue)",
                "named": "\(named.prefix(80).filter { $0.isASCII && !$0.isNewline })",
                "hint": "have the proxy set the field of --proxy-header to the client's IP address",
            ])
    }
}
