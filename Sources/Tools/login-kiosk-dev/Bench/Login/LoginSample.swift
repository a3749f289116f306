// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinClient

/// One login, and within the same milliseconds its unavoidable costs. Times are nanoseconds.
struct LoginSample {
    static let count = 61
    private static let roundTripsAtOnce = 5

    /// The time of a minimal request and its reply on the login's connection.
    var roundTrip: Double
    /// The cryptography of a login without permit, for device and server.
    var proof: Double
    var verification: Double
    /// The time from the last digit to the outcome.
    var whole: Double
    var requests: Int
    /// The sum of the times between request and reply.
    var waiting: Double

    /// - Parameter status: the address of the minimal request.
    static func take(
        of client: LoginDevice, meter: Meter, comparedTo example: LoginExample, status: WebAddress
    ) async throws -> LoginSample {
        try await client.begin()
        _ = meter.take()
        for _ in 0..<roundTripsAtOnce {
            _ = try await client.transport.send(HTTPRequest(.get, status, isRepeatable: true))
        }
        let roundTrip = meter.take().time / Double(roundTripsAtOnce)
        let start = WallClock.now()
        try await client.finish()
        let whole = WallClock.now() - start
        let carried = meter.take()
        return LoginSample(
            roundTrip: roundTrip, proof: try time { try example.prove(1) },
            verification: try time { try example.verify(1) }, whole: whole, requests: carried.requests,
            waiting: carried.time)
    }

    private static func time(_ work: () throws -> Void) throws -> Double {
        let start = ProcessorClock.now()
        try work()
        return Double(ProcessorClock.now() - start)
    }

    private var network: Double { Double(requests) * roundTrip }

    /// Splits the time of logins: the device's share is the time without waiting, the network's the bare round trips,
    /// and the server's the rest.
    static func measurements(_ samples: [LoginSample], connectionsOpened: Int) -> [Measurement] {
        let connections = Double(connectionsOpened) / Double(samples.count)
        return [
            Measurement(
                "login, last digit to outcome", samples.map(\.whole), reference: "its cryptography and round trips",
                samples.map { $0.proof + $0.verification + $0.network }),
            Measurement(
                "login, device", samples.map { $0.whole - $0.waiting }, reference: "pass 1 + pass 2",
                samples.map(\.proof)),
            // Opening a connection takes an extra round trip.
            Measurement(
                "login, network", samples.map { $0.network + connections * $0.roundTrip },
                reference: "bare round trip", samples.map(\.roundTrip),
                figures: [
                    Figure(
                        name: "connections_opened", value: connections, text: "\(connectionsOpened) connections opened")
                ]),
            Measurement(
                "login, server", samples.map { $0.waiting - $0.network - connections * $0.roundTrip },
                reference: "server verification",
                samples.map(\.verification)),
        ]
    }
}
