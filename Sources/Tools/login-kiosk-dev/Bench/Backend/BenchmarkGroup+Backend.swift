// SPDX-License-Identifier: Apache-2.0

extension BenchmarkGroup {
    /// The logins of the reference backend, in a process of its own, with this process as all devices: time permit,
    /// pass 1, pass 2, `authenticate` request. Both share the machine's processors.
    static let backend = BenchmarkGroup(name: "backend") {
        // All devices have one address here, with two connections each. The older one may not have ended when the
        // next begins.
        let backend = try await BackendProcess(options: ["--connections-per-address", "256"])
        let example = try LoginExample()
        let sizes = [1, 8, 64]
        var clients: [LoginDevice] = []
        var measurements: [Measurement] = []
        for size in sizes {
            while clients.count < size {
                clients.append(try await backend.device("user\(clients.count)@example.com"))
            }
            measurements += try await Load.run(clients[...], at: backend, example).measurements
        }
        return measurements
    }
}
