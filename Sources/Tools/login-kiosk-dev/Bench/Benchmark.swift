// SPDX-License-Identifier: Apache-2.0

/// An operation to time, and a reference to time alternately with it.
struct Benchmark {
    /// Does the operation `count` times.
    typealias Work = (_ count: Int) throws -> Void

    struct Reference {
        var name: String
        var work: Work
    }

    var name: String
    var ours: Work
    var reference: Reference
}

extension Benchmark {
    /// Number of timed pairs, and the approximate time of each half.
    private static let pairs = 61
    private static let nanosecondsPerBatch = 2_000_000.0

    /// Times operation and reference in turn, in batches of equal length. The order changes from pair to pair.
    func measure() throws -> Measurement {
        let oursCount = try Self.batchSize(of: ours)
        let referenceCount = try Self.batchSize(of: reference.work)
        var ourTimes: [Double] = []
        var referenceTimes: [Double] = []
        for pair in 0..<Self.pairs {
            if pair.isMultiple(of: 2) { ourTimes.append(try Self.time(ours, oursCount)) }
            referenceTimes.append(try Self.time(reference.work, referenceCount))
            if !pair.isMultiple(of: 2) { ourTimes.append(try Self.time(ours, oursCount)) }
        }
        return Measurement(name, ourTimes, reference: reference.name, referenceTimes)
    }

    /// The number of operations that fill a batch's time. Finding it warms the operation up.
    private static func batchSize(of work: Work) throws -> Int {
        var count = 1
        while true {
            let elapsed = try time(work, count) * Double(count)
            if elapsed >= nanosecondsPerBatch / 4 {
                return max(1, Int(Double(count) * nanosecondsPerBatch / elapsed))
            }
            count *= 2
        }
    }

    private static func time(_ work: Work, _ count: Int) throws -> Double {
        let start = ProcessorClock.now()
        try work(count)
        return Double(ProcessorClock.now() - start) / Double(count)
    }
}

/// The reason why there is no measurement.
enum BenchmarkError: Error, CustomStringConvertible {
    /// A function of OpenSSL failed.
    case openSSL(String)
    /// The timed operation gave a wrong result. Its time would mean nothing.
    case wrongResult(String)

    /// The measured program failed.
    case program(String)

    var description: String {
        switch self {
        case .openSSL(let what): "OpenSSL as reference: \(what)"
        case .program(let what): what
        case .wrongResult(let name): "\(name): the result is wrong, so its time means nothing"
        }
    }
}
