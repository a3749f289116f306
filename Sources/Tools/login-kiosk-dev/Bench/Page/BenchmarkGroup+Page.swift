// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension BenchmarkGroup {
    /// The wait of a person at the page: device and page here, `login-kiosk-backend` in a process of its own, on
    /// loopback, with time permits.
    static let page = BenchmarkGroup(name: "page") {
        let folder = try TemporaryFolder()
        let backend = try await BackendProcess(in: folder)
        let user = "person@example.com"
        let client = try await EnrolledClient(user, at: backend, in: folder)
        let page = try SwarmPage(
            try SwarmTarget(backend.site, authorityFile: nil, tally: SwarmTally()), number: 0, typesCodes: false)
        var samples: [PageSample] = []
        for _ in 0..<PageSample.count { samples.append(try await .take(client, page, user)) }
        return PageSample.measurements(samples)
    }
}
