// SPDX-License-Identifier: Apache-2.0

/// One operation on secrets, watched.
struct ConstantTimeCheck {
    var name: String
    /// A control does what must not be done: it proves that the watcher is awake.
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
