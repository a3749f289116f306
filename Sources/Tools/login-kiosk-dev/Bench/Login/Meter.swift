// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinClient
import Synchronization

/// Counts and times the requests of a device.
final class Meter: Sendable {
    struct Reading: Sendable {
        var requests = 0
        /// The sum of the times from request to reply, in nanoseconds.
        var time = 0.0
    }

    private let reading = Mutex(Reading())

    func observe(_ transport: any HTTPTransport) -> ObservedTransport {
        ObservedTransport(transport: transport) { [self] time, _ in
            reading.withLock { reading in
                reading.requests += 1
                reading.time += time
            }
        }
    }

    /// Returns the number and time of the requests since the previous call.
    func take() -> Reading {
        reading.withLock { reading in
            defer { reading = Reading() }
            return reading
        }
    }
}
