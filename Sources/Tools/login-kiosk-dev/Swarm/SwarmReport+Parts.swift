// SPDX-License-Identifier: Apache-2.0

extension SwarmReport {
    /// The settings of the run, and its times.
    struct Run: Encodable, Sendable {
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
    }

    /// Numbers of logins.
    struct Outcomes: Encodable, Sendable {
        /// Logins dropped because no kiosk or browser was free.
        let notBegun: Int
        private(set) var loggedIn = 0
        private(set) var wrongPIN = 0
        /// Counts by reason.
        private(set) var tryAgain: [String: Int] = [:]
        private(set) var refused: [String: Int] = [:]
        private(set) var unanswered = 0
        /// Successful logins.
        let perSecond: Double

        init(_ tally: SwarmTally.State, seconds: Double) {
            notBegun = tally.notBegun
            loggedIn = tally.logins.count { $0.hasEndedWell }
            perSecond = seconds > 0 ? Double(loggedIn) / seconds : 0
            for login in tally.logins {
                switch login.told {
                case .wrongPIN: wrongPIN += 1
                case .tryAgain(let reason): tryAgain[reason, default: 0] += 1
                case .refused(let reason): refused[reason, default: 0] += 1
                case .nothing: unanswered += 1
                case .loggedIn: break
                }
            }
        }
    }

    struct Times: Encodable, Sendable {
        let registration, pageSession: Percentiles
        /// The times of logins that ended well.
        let lastDigitToOutcome, outcomeToPage: Percentiles
        /// The time of wrong PINs, which the backend answers slowly.
        let wrongPINToOutcome: Percentiles

        init(_ tally: SwarmTally.State) {
            let wellEnded = tally.logins.filter(\.hasEndedWell)
            registration = Percentiles(tally.registrations)
            pageSession = Percentiles(tally.logins.compactMap(\.pageSession))
            lastDigitToOutcome = Percentiles(wellEnded.compactMap(\.outcome))
            outcomeToPage = Percentiles(wellEnded.compactMap(\.knowledge))
            wrongPINToOutcome = Percentiles(tally.logins.filter { $0.told == .wrongPIN }.compactMap(\.outcome))
        }
    }

    struct Problems: Encodable, Sendable {
        /// Failed requests, by kind.
        let errors: [String: Int]
        /// Faults by kind. Each must be 0.
        let faults: [String: Int]
        /// Nil without an operator.
        let counts: SwarmCounts?
        /// The reason why the operator's list could not be read.
        let notCompared: String?

        init(_ tally: SwarmTally.State, counts: SwarmCounts?, notCompared: String?) {
            errors = tally.errors
            self.counts = counts
            self.notCompared = notCompared
            var faults = Dictionary(uniqueKeysWithValues: SwarmLogin.Fault.allCases.map { ($0.rawValue, 0) })
            for fault in tally.logins.compactMap(\.fault) { faults[fault.rawValue, default: 0] += 1 }
            faults[SwarmLogin.Fault.lostCount.rawValue] = counts?.lost ?? 0
            faults[SwarmLogin.Fault.doubleCount.rawValue] = counts?.extra ?? 0
            self.faults = faults
        }

        var hasFaults: Bool { faults.values.contains { $0 > 0 } }
    }

    /// The run, moment by moment.
    struct Course: Encodable, Sendable {
        /// An interval of the run.
        struct Moment: Encodable, Sendable, Equatable {
            /// Its beginning, since the load began.
            var second: Double
            /// Logins that succeeded in it, and those after which the person may try again.
            var loggedIn = 0
            var tryAgain = 0
        }

        /// The largest number of moments.
        private static let maximumMoments = 600

        let moments: [Moment]
        /// The length of a moment.
        let momentSeconds: Double

        /// Counts each login in the moment in which it ends; one that ends later, in the last.
        init(_ logins: [SwarmLogin], seconds: Double) {
            let length = max(1, (seconds / Double(Self.maximumMoments)).rounded(.up))
            let count = max(1, min(Self.maximumMoments, Int((seconds / length).rounded(.up))))
            var moments = (0..<count).map { Moment(second: Double($0) * length) }
            for login in logins {
                let index = min(count - 1, max(0, Int(login.ends / length)))
                switch login.told {
                case .loggedIn: moments[index].loggedIn += 1
                case .tryAgain, .nothing: moments[index].tryAgain += 1
                case .wrongPIN, .refused: break
                }
            }
            momentSeconds = length
            self.moments = moments
        }
    }

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
}

extension SwarmLogin {
    fileprivate var hasEndedWell: Bool { told == .loggedIn && fault == nil }
}
