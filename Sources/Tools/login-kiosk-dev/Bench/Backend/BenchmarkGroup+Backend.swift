// SPDX-License-Identifier: Apache-2.0

extension BenchmarkGroup {
    /// How many people the reference backend logs in, in a process of its own, while this one is all the devices: time
    /// permit, pass 1, pass 2, final call. Both share the machine's processors.
    static let backend = BenchmarkGroup(name: "backend") {
        let folder = try TemporaryFolder()
        // All devices have one address here, and two connections each, of which the older may not have ended yet when
        // the next one comes.
        let backend = try await BackendProcess(in: folder, options: ["--connections-per-address", "256"])
        let example = try LoginExample()
        let sizes = [1, 8, 64]
        var clients: [EnrolledClient] = []
        var measurements: [Measurement] = []
        for size in sizes {
            while clients.count < size {
                clients.append(try await EnrolledClient("user\(clients.count)@example.com", at: backend, in: folder))
            }
            measurements += try await Load.run(clients[...], at: backend, example).measurements
        }
        return measurements
    }
}
