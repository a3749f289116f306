// SPDX-License-Identifier: Apache-2.0

/// A watched operation on secrets.
struct ConstantTimeCheck {
    var name: String
    /// Whether it leaks on purpose, which proves that the watcher works.
    var isControl = false
    var run: () throws -> Void

    /// The number of branches and addresses that depended on a secret.
    func reports() throws -> Int {
        let before = Taint.reports
        try run()
        return Taint.reports - before
    }

    func isPassed(with reports: Int) -> Bool { isControl ? reports > 0 : reports == 0 }
}

/// The watched operation gave a wrong result.
enum CheckError: Error {
    case wrongResult
}

extension ConstantTimeCheck {
    /// Code that leaks, in both possible ways.
    static func controls(_ samples: Samples) -> [ConstantTimeCheck] {
        [
            ConstantTimeCheck(name: "control: a branch on a secret", isControl: true) {
                let digits = Taint.secret(samples.pin)
                var sum = 0
                for digit in digits where digit & 1 == 1 { sum = slowlyIncreased(sum) }
                keep(sum)
            },
            ConstantTimeCheck(name: "control: a table looked up by a secret", isControl: true) {
                let digits = Taint.secret(samples.pin)
                var table = [UInt8](repeating: 0, count: 256)
                for digit in digits { table[Int(digit)] = 1 }
                keep(Int(table[0]))
            },
        ]
    }

    /// Too long for the compiler to replace the branch by arithmetic.
    @inline(never)
    private static func slowlyIncreased(_ sum: Int) -> Int { sum % 7 == 6 ? sum * 3 : sum + 1 }

    /// Makes the compiler keep a value.
    @inline(never)
    private static func keep(_ value: Int) { if value == .min { print(value) } }
}
