// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The wrong PINs between two logins of a person, who knows whether they were their own.
public struct EarlierWrongPINs: Hashable, Sendable {
    public enum Day: Hashable, Sendable, CaseIterable { case today, yesterday, earlier }

    public let count: Int
    /// The day of the last one.
    public let day: Day
    /// The time of day of the last one, with the date unless it is today or yesterday.
    public let time: String

    public init(count: Int, day: Day, time: String) { (self.count, self.day, self.time) = (count, day, time) }

    var sentence: Prompt {
        let key: PromptKey =
            switch day {
            case .today: .wrongPINsToday
            case .yesterday: .wrongPINsYesterday
            case .earlier: .wrongPINsEarlier
            }
        return Prompt(key, [.number: "\(count)", .time: time])
    }
}
