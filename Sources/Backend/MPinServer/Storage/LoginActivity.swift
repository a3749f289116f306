// SPDX-License-Identifier: Apache-2.0

package import BackendValues

/// Checked logins by verdict.
package struct LoginCounts: Sendable, Equatable {
    package var right: Int64 = 0
    package var wrongPIN: Int64 = 0
    package var blocked: Int64 = 0
    package var unknown: Int64 = 0

    package init(right: Int64 = 0, wrongPIN: Int64 = 0, blocked: Int64 = 0, unknown: Int64 = 0) {
        self.right = right
        self.wrongPIN = wrongPIN
        self.blocked = blocked
        self.unknown = unknown
    }

    package var isZero: Bool { self == LoginCounts() }
    /// Logins of a blocked or removed identity.
    package var refused: Int64 { blocked + unknown }
    var failures: Int64 { wrongPIN + refused }

    package mutating func count(_ verdict: CheckedProof.Verdict) {
        switch verdict {
        case .right: right += 1
        case .wrongPIN: wrongPIN += 1
        case .blocked: blocked += 1
        case .unknown: unknown += 1
        case .elsewhere: break
        }
    }

    package static func + (left: LoginCounts, right: LoginCounts) -> LoginCounts {
        LoginCounts(
            right: left.right + right.right, wrongPIN: left.wrongPIN + right.wrongPIN,
            blocked: left.blocked + right.blocked, unknown: left.unknown + right.unknown)
    }

    package static func += (left: inout LoginCounts, right: LoginCounts) { left = left + right }
}

/// The logins of a day, by quarters of an hour.
package struct LoginActivity: Sendable, Equatable {
    package static let quarter = Duration.seconds(900)
    /// Number of stored quarters: 25 hours.
    package static let kept: Int64 = 100

    /// The current quarter by the storage's clock: number of quarters since 1970.
    package let present: Int64
    /// The counts by quarter. Quarters without a login are missing.
    package let quarters: [Int64: LoginCounts]

    package init(present: Int64, quarters: [Int64: LoginCounts]) {
        self.present = present
        self.quarters = quarters
    }

    package static func number(at time: WallTime) -> Int64 {
        time.milliseconds.flooredQuotient(by: quarter.wholeMilliseconds)
    }
}
