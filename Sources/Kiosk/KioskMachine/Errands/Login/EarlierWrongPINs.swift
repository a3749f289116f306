// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The wrong PINs between two logins of a person, who knows whose they were.
public struct EarlierWrongPINs: Hashable, Sendable {
    public enum Day: Hashable, Sendable, CaseIterable { case today, yesterday, earlier }

    public let count: Int
    /// Of the last one.
    public let day: Day
    /// Of the last one: the time of day, with the date where it is neither today nor yesterday.
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
