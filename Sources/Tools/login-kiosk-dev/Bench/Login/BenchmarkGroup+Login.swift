// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinClient

extension BenchmarkGroup {
    /// From the last digit to the outcome: SDK, transport and store in this process, `login-kiosk-backend` in
    /// another, on loopback, with time permits. The device logs in by itself, so that no browser's polling is timed.
    static let login = BenchmarkGroup(name: "login") {
        let backend = try await BackendProcess()
        let meter = Meter()
        let client = try await backend.device("person@example.com", meter)
        let example = try LoginExample()
        let status = try WebAddress(backend.site + "/status")

        let connectionsBefore = try ConnectionTable.current().count(to: status.origin.port)
        var samples: [LoginSample] = []
        for _ in 0..<LoginSample.count {
            samples.append(try await .take(of: client, meter: meter, comparedTo: example, status: status))
        }
        let opened = try ConnectionTable.current().count(to: status.origin.port) - connectionsBefore
        return LoginSample.measurements(samples, connectionsOpened: opened)
    }
}
