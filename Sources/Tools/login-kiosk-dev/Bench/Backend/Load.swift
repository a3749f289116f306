// SPDX-License-Identifier: Apache-2.0

/// Concurrent logins of several clients, and their cost for the server.
struct Load {
    private static let batches = 7
    /// Enough logins to make the kernel's ticks of 10 ms negligible.
    private static let loginsPerBatch = 256
    private static let verificationsPerBatch = 50

    private var loginTimes: [Double] = []
    private var perSecond: [Double] = []
    private var processorTimes: [Double] = []
    private var verificationTimes: [Double] = []
    private var memory: ProcessFigures
    private let clients: Int

    /// Runs the clients, each of which logs in again at once. The first failed login ends the run.
    static func run(
        _ clients: ArraySlice<LoginDevice>, at backend: BackendProcess, _ example: LoginExample
    ) async throws -> Load {
        var load = Load(clients: clients.count, memory: try ProcessFigures.current(of: backend.id))
        for _ in 0..<batches {
            let verifying = ProcessorClock.now()
            try example.verify(verificationsPerBatch)
            load.verificationTimes.append(Double(ProcessorClock.now() - verifying) / Double(verificationsPerBatch))

            let before = try ProcessFigures.current(of: backend.id)
            let start = WallClock.now()
            let times = try await logIn(clients, times: loginsPerBatch / clients.count)
            let elapsed = WallClock.now() - start
            load.memory = try ProcessFigures.current(of: backend.id)
            load.loginTimes += times
            load.perSecond.append(Double(times.count) / elapsed * 1e9)
            load.processorTimes.append((load.memory.processorTime - before.processorTime) / Double(times.count))
        }
        return load
    }

    private init(clients: Int, memory: ProcessFigures) {
        self.clients = clients
        self.memory = memory
    }

    private static func logIn(_ clients: ArraySlice<LoginDevice>, times: Int) async throws -> [Double] {
        try await withThrowingTaskGroup(of: [Double].self) { group in
            for client in clients {
                group.addTask {
                    var elapsed: [Double] = []
                    for _ in 0..<times {
                        let start = WallClock.now()
                        try await client.begin()
                        try await client.finish()
                        elapsed.append(WallClock.now() - start)
                    }
                    return elapsed
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    var measurements: [Measurement] {
        let rate = perSecond.percentile(0.5)
        let p99 = loginTimes.percentile(0.99)
        let who = clients == 1 ? "1 client" : "\(clients) clients"
        return [
            Measurement(
                "\(who), login", loginTimes,
                figures: [
                    Figure(name: "per_second", value: rate, text: "\(Int(rate)) a second"),
                    Figure(name: "p99_ns", value: p99, text: "p99 \(Measurement.text(p99))"),
                ]),
            Measurement(
                "\(who), server's processor time", processorTimes, reference: "server verification", verificationTimes,
                figures: [
                    Figure(
                        name: "resident_kib", value: Double(memory.residentKiB),
                        text: "\(memory.residentKiB / 1024) MiB resident"),
                    Figure(
                        name: "peak_resident_kib", value: Double(memory.peakResidentKiB),
                        text: "at most \(memory.peakResidentKiB / 1024)"),
                ]),
        ]
    }
}
