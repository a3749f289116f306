// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

extension BenchmarkGroup {
    /// The arithmetic from the field up, and what client and server compute in a login.
    static let crypto = BenchmarkGroup(name: "crypto") {
        let curve = try OpenSSLCurve()
        let multiplication = Benchmark.Reference(name: "OpenSSL G1 multiplication", work: curve.multiplyPoint)
        var workload = try Workload(seed: [UInt8](repeating: 0x17, count: 32))
        let login = try LoginExample()
        let classic = try LoginExample(hasKey: false)
        let alone = Benchmark.Reference(name: "16 alone", work: { try classic.verify(16 * $0) })
        let keyedAlone = Benchmark.Reference(name: "16 alone", work: { try login.verify(16 * $0) })
        let pass1And2 = Benchmark(name: "pass 1 + pass 2", ours: login.prove, reference: multiplication)
        let benchmarks = [
            Benchmark(
                name: "Fp multiplication", ours: { workload.multiplyFieldElements($0) },
                reference: .init(name: "OpenSSL BN_mod_mul_montgomery", work: curve.multiplyFieldElements)),
            Benchmark(
                name: "G1 multiplication", ours: { try workload.multiplyPoints($0) }, reference: multiplication),
            Benchmark(name: "hash to G1", ours: { workload.map($0) }, reference: multiplication),
            pass1And2,
            Benchmark(name: "server verification", ours: login.verify, reference: multiplication),
            Benchmark(name: "16 verifications", ours: { try classic.verifyTogether($0, 16) }, reference: alone),
            Benchmark(name: "16 with public keys", ours: { try login.verifyTogether($0, 16) }, reference: keyedAlone),
            Benchmark(name: "pairing", ours: { workload.pair($0) }, reference: multiplication),
        ]
        return try benchmarks.map { try $0.measure() }
    }
}
