// SPDX-License-Identifier: Apache-2.0

import BackendValues
import NIOCore
import Synchronization

/// The bounds on a listener's connections: one per address, and one in total. At a bound a waiting connection is closed
/// to make room for a new one. So neither one address nor many can keep others out, and a client cannot keep out others
/// at its own address. At the bound per address, a connection of that address is closed. At the total bound, it is a
/// connection of an address with the most.
package final class ConnectionBounds: Sendable {
    /// Together with the process's other files, below the default limit of open files.
    package static let maximum = 768

    private let perAddress: Int
    private let maximum: Int
    private let state = Mutex(State())

    init(perAddress: Int, maximum: Int = maximum) {
        self.perAddress = perAddress
        self.maximum = maximum
    }

    /// - Parameter isProxy: whether many clients share the address.
    /// - Returns: whether the connection is kept. Then it is counted until `close(_:from:)`.
    func open(_ channel: any Channel, from address: ClientAddress, isProxy: Bool) -> Bool {
        let (isKept, leaving) = state.withLock { state -> (Bool, (any Channel)?) in
            var crowd: [Connection]?
            if !isProxy, state.connections(of: address).count >= perAddress {
                crowd = state.connections(of: address)
            } else if state.count >= maximum {
                crowd = state.largestCrowd
            }
            guard let crowd else {
                state.insert(channel, from: address, isProxy: isProxy)
                return (true, nil)
            }
            guard let leaving = Connection.leastMissed(in: crowd) else { return (false, nil) }
            state.remove(leaving.channel, from: leaving.address)
            state.insert(channel, from: address, isProxy: isProxy)
            return (true, leaving.channel)
        }
        leaving?.pipeline.fireUserInboundEventTriggered(ConnectionHandler.MakesRoom())
        return isKept
    }

    /// Protects a connection from being closed while a complete request is answered and the client reads.
    /// - Returns: false for a connection that was chosen to make room, and is about to close.
    @discardableResult
    func setAnswering(_ channel: any Channel, from address: ClientAddress, _ isAnswering: Bool) -> Bool {
        state.withLock { $0.setAnswering(channel, from: address, isAnswering) }
    }

    func close(_ channel: any Channel, from address: ClientAddress) {
        state.withLock { $0.remove(channel, from: address) }
    }

    /// Counts a request. The bounds are those of connections: one connection of HTTP/2 carries many requests, and
    /// requests that its client cancelled go on for a while.
    /// - Returns: whether the request is answered. Then it is counted until `endRequest(from:)`.
    func beginRequest(from address: ClientAddress, isProxy: Bool) -> Bool {
        state.withLock { state in
            let own = state.requests[address, default: 0]
            guard isProxy || own < perAddress, state.requestCount < maximum else { return false }
            state.requests[address] = own + 1
            state.requestCount += 1
            return true
        }
    }

    func endRequest(from address: ClientAddress) {
        state.withLock { state in
            guard let own = state.requests[address] else { return }
            state.requests[address] = own == 1 ? nil : own - 1
            state.requestCount -= 1
        }
    }
}

private struct Connection {
    let channel: any Channel
    let address: ClientAddress
    /// Order in which connections were opened or last answered.
    var number: UInt64
    var isAnswering = false
    /// Whether a complete request has come.
    var hasAsked = false

    /// The connection to close: the oldest without a complete request, if these are at least half of the waiting
    /// ones; otherwise the one that has waited longest. So silent connections do not push out those that asked, and
    /// those that asked once push out new ones only after they fill half of a bound.
    static func leastMissed(in crowd: [Connection]) -> Connection? {
        let waiting = crowd.filter { !$0.isAnswering }
        let silent = waiting.filter { !$0.hasAsked }
        return (silent.count * 2 >= waiting.count ? silent : waiting).min { $0.number < $1.number }
    }
}

private struct State {
    private struct Client {
        let isProxy: Bool
        var connections: [ObjectIdentifier: Connection] = [:]
    }

    private var clients: [ClientAddress: Client] = [:]
    private var nextNumber: UInt64 = 0
    private(set) var count = 0
    var requests: [ClientAddress: Int] = [:]
    var requestCount = 0

    func connections(of address: ClientAddress) -> [Connection] {
        clients[address].map { Array($0.connections.values) } ?? []
    }

    /// The connections of all addresses that have the most. A proxy's are not those of one address, and an address
    /// whose connections are all being answered is skipped.
    var largestCrowd: [Connection] {
        let crowds = clients.values.filter { client in
            !client.isProxy && client.connections.values.contains { !$0.isAnswering }
        }
        let most = crowds.map(\.connections.count).max()
        return crowds.filter { $0.connections.count == most }.flatMap(\.connections.values)
    }

    mutating func insert(_ channel: any Channel, from address: ClientAddress, isProxy: Bool) {
        clients[address, default: Client(isProxy: isProxy)].connections[ObjectIdentifier(channel)] = Connection(
            channel: channel, address: address, number: takeNumber())
        count += 1
    }

    mutating func setAnswering(_ channel: any Channel, from address: ClientAddress, _ isAnswering: Bool) -> Bool {
        guard var connection = clients[address]?.connections[ObjectIdentifier(channel)] else { return false }
        connection.isAnswering = isAnswering
        connection.hasAsked = true
        connection.number = takeNumber()
        clients[address]?.connections[ObjectIdentifier(channel)] = connection
        return true
    }

    mutating func remove(_ channel: any Channel, from address: ClientAddress) {
        guard clients[address]?.connections.removeValue(forKey: ObjectIdentifier(channel)) != nil else { return }
        count -= 1
        if clients[address]?.connections.isEmpty == true { clients[address] = nil }
    }

    private mutating func takeNumber() -> UInt64 {
        defer { nextNumber += 1 }
        return nextNumber
    }
}
