// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation

/// The result of a swarm, for people and programs. Times are seconds.
struct SwarmReport: Encodable, Sendable {
    /// All nil without samples.
    struct Percentiles: Encodable, Sendable, Equatable {
        var count: Int
        var p50, p90, p99, max: Double?

        init(_ samples: [Double]) {
            count = samples.count
            guard !samples.isEmpty else { return }
            p50 = samples.percentile(0.5)
            p90 = samples.percentile(0.9)
            p99 = samples.percentile(0.99)
            max = samples.percentile(1)
        }
    }

    /// An interval of the run.
    struct Moment: Encodable, Sendable, Equatable {
        /// Its beginning, since the load began.
        var second: Double
        /// Logins that succeeded in it, and those after which the person may try again.
        var loggedIn = 0
        var tryAgain = 0

        enum CodingKeys: String, CodingKey {
            case second
            case loggedIn = "logged_in"
            case tryAgain = "try_again"
        }
    }

    /// The largest number of moments.
    static let maximumMoments = 600

    let version = 1
    let backend: String
    let kiosks: Int
    let browsers: Int
    let rate: Double
    let seed: UInt64
    /// Seconds since 1970-01-01 UTC.
    let begins: Double
    /// The time until the last login ended.
    let seconds: Double
    let planned: Int
    /// Logins dropped because no kiosk or browser was free.
    let notBegun: Int
    let loggedIn: Int
    let wrongPIN: Int
    /// Counts by reason.
    let tryAgain: [String: Int]
    let refused: [String: Int]
    let unanswered: Int
    /// Successful logins.
    let perSecond: Double
    let enrolment, pageSession, lastDigitToOutcome, outcomeToPage: Percentiles
    /// For wrong PINs, which the backend answers slowly.
    let wrongPINToOutcome: Percentiles
    /// Failed requests, by kind.
    let errors: [String: Int]
    /// Faults by kind. Each must be 0.
    let faults: [String: Int]
    /// Nil without an operator.
    let counts: SwarmCounts?
    /// The reason why the operator's list could not be read.
    let notCompared: String?
    let moments: [Moment]
    /// The length of a moment.
    let momentSeconds: Double

    enum CodingKeys: String, CodingKey {
        case version, backend, kiosks, browsers, rate, seed, begins, seconds, planned, refused, unanswered, errors
        case faults, counts, moments, enrolment
        case notBegun = "not_begun"
        case notCompared = "not_compared"
        case loggedIn = "logged_in"
        case wrongPIN = "wrong_pin"
        case tryAgain = "try_again"
        case perSecond = "per_second"
        case pageSession = "page_session"
        case lastDigitToOutcome = "last_digit_to_outcome"
        case outcomeToPage = "outcome_to_page"
        case wrongPINToOutcome = "wrong_pin_to_outcome"
        case momentSeconds = "moment_seconds"
    }

    init(
        settings: Swarm.Settings, begins: Double, seconds: Double, planned: Int, tally: SwarmTally.State,
        counts: SwarmCounts?, notCompared: String? = nil
    ) {
        let logins = tally.logins
        backend = settings.backend
        (kiosks, browsers, rate, seed) = (settings.kiosks, settings.browsers, settings.rate, settings.seed)
        (self.begins, self.seconds, self.planned) = (begins, seconds, planned)
        notBegun = tally.notBegun
        let wellEnded = logins.filter { $0.told == .loggedIn && $0.fault == nil }
        loggedIn = wellEnded.count
        wrongPIN = logins.count { $0.told == .wrongPIN }
        var (again, refused, unanswered) = ([String: Int](), [String: Int](), 0)
        for login in logins {
            switch login.told {
            case .tryAgain(let reason): again[reason, default: 0] += 1
            case .refused(let reason): refused[reason, default: 0] += 1
            case .nothing: unanswered += 1
            case .loggedIn, .wrongPIN: break
            }
        }
        (tryAgain, self.refused, self.unanswered) = (again, refused, unanswered)
        perSecond = seconds > 0 ? Double(wellEnded.count) / seconds : 0
        enrolment = Percentiles(tally.enrolments)
        pageSession = Percentiles(logins.compactMap(\.pageSession))
        lastDigitToOutcome = Percentiles(wellEnded.compactMap(\.outcome))
        outcomeToPage = Percentiles(wellEnded.compactMap(\.knowledge))
        wrongPINToOutcome = Percentiles(logins.filter { $0.told == .wrongPIN }.compactMap(\.outcome))
        errors = tally.errors
        var faults = Dictionary(uniqueKeysWithValues: SwarmLogin.Fault.allCases.map { ($0.rawValue, 0) })
        for login in logins { if let fault = login.fault { faults[fault.rawValue, default: 0] += 1 } }
        faults[SwarmLogin.Fault.lostCount.rawValue] = counts?.lost ?? 0
        faults[SwarmLogin.Fault.doubleCount.rawValue] = counts?.extra ?? 0
        self.faults = faults
        self.notCompared = notCompared
        self.counts = counts
        momentSeconds = max(1, (seconds / Double(Self.maximumMoments)).rounded(.up))
        moments = Self.moments(logins, each: momentSeconds, until: seconds)
    }

    /// Moments of `each` seconds from 0 on, by the end of logins.
    static func moments(_ logins: [SwarmLogin], each: Double, until end: Double) -> [Moment] {
        let count = max(1, min(maximumMoments, Int((end / each).rounded(.up))))
        var moments = (0..<count).map { Moment(second: Double($0) * each) }
        for login in logins {
            let index = min(count - 1, max(0, Int(login.ends / each)))
            switch login.told {
            case .loggedIn: moments[index].loggedIn += 1
            case .tryAgain, .nothing: moments[index].tryAgain += 1
            case .wrongPIN, .refused: break
            }
        }
        return moments
    }

    var hasFaults: Bool { faults.values.contains { $0 > 0 } }

    /// Text for people.
    var text: String {
        var lines = [
            "\(kiosks) kiosks, \(browsers) browsers, \(planned) logins planned in \(Self.number(seconds)) s",
            "logged in \(loggedIn), \(Self.number(perSecond)) a second; wrong PIN \(wrongPIN); "
                + "no kiosk free \(notBegun); unanswered \(unanswered)",
            "try again: \(Self.list(tryAgain))", "refused: \(Self.list(refused))",
            "requests that failed: \(Self.list(errors))", "faults: \(Self.list(faults))",
        ]
        if let counts {
            lines.append(
                "wrong PINs: told \(counts.told), unclear \(counts.unclear), counted \(counts.counted), "
                    + "lost \(counts.lost), twice \(counts.extra)")
        }
        var table = ResultTable(rows: [["seconds", "p50", "p90", "p99", "max"]])
        for (name, value) in [
            ("enrolment", enrolment), ("page's session", pageSession), ("last digit to outcome", lastDigitToOutcome),
            ("outcome to the page", outcomeToPage), ("wrong PIN to outcome", wrongPINToOutcome),
        ] {
            table.rows.append(
                [name]
                    + [value.p50, value.p90, value.p99, value.max].map { value in
                        value.map { String(format: "%.3f", $0) } ?? "-"
                    })
        }
        return (lines + [table.text]).joined(separator: "\n")
    }

    private static func list(_ counts: [String: Int]) -> String {
        let parts = counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }

    private static func number(_ value: Double) -> String { String(format: "%.1f", value) }
}
