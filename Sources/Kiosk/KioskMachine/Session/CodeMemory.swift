// SPDX-License-Identifier: Apache-2.0

/// The codes in view, and those with which a login was tried. The machine forgets them on timers.
struct CodeMemory: Sendable {
    /// The largest number of codes in view: more than a camera shows at once.
    static let viewCapacity = 8
    /// The largest number of remembered used codes: more than the logins of ten minutes.
    static let usedCapacity = 128

    /// Oldest first.
    private(set) var inView: [CodeDigest] = []
    private(set) var used: [CodeDigest] = []

    /// - Returns: the code that was dropped for it, if any.
    mutating func see(_ digest: CodeDigest) -> CodeDigest? {
        CodeMemory.insert(digest, into: &inView, capacity: CodeMemory.viewCapacity)
    }

    /// - Returns: the code that was dropped for it, if any.
    mutating func use(_ digest: CodeDigest) -> CodeDigest? {
        CodeMemory.insert(digest, into: &used, capacity: CodeMemory.usedCapacity)
    }

    mutating func forgetView(_ digest: CodeDigest) { inView.removeAll { $0 == digest } }
    mutating func forgetUse(_ digest: CodeDigest) { used.removeAll { $0 == digest } }

    private static func insert(_ digest: CodeDigest, into list: inout [CodeDigest], capacity: Int) -> CodeDigest? {
        list.removeAll { $0 == digest }
        list.append(digest)
        return list.count > capacity ? list.removeFirst() : nil
    }
}
