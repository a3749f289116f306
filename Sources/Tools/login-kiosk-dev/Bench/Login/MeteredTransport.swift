// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinClient
import Synchronization

/// A transport that counts and times its requests.
final class MeteredTransport: HTTPTransport {
    struct Reading: Sendable {
        var requests = 0
        /// The sum of the times from request to reply, in nanoseconds.
        var time = 0.0
    }

    private let transport: any HTTPTransport
    private let reading = Mutex(Reading())

    init(_ transport: any HTTPTransport) { self.transport = transport }

    func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse {
        let start = WallClock.now()
        let response = try await transport.send(request)
        let time = WallClock.now() - start
        reading.withLock { reading in
            reading.requests += 1
            reading.time += time
        }
        return response
    }

    var checksPins: Bool { transport.checksPins }

    func distrustConnections(to origin: Origin) { transport.distrustConnections(to: origin) }

    /// Returns the number and time of the requests since the previous call.
    func take() -> Reading {
        reading.withLock { reading in
            defer { reading = Reading() }
            return reading
        }
    }
}
