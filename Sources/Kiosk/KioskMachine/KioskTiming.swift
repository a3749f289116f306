// SPDX-License-Identifier: Apache-2.0

/// All durations of the kiosk.
public enum KioskTiming {
    /// The time from the scan, the last digit of a PIN or the last wrong PIN to the outcome.
    public static let session: Duration = .seconds(60)
    /// The time from the start in which the operator's reset keys work.
    public static let boot: Duration = .seconds(10)
    /// The time between two keys in the menu, and while an e-mail address or an access code is typed.
    public static let typing: Duration = .seconds(60)
    /// The time between two keys while a document is read, and at the question that follows.
    public static let reading: Duration = .seconds(180)
    /// The time for the activation mail to arrive and be followed: the usual lifetime of an access code.
    public static let activation: Duration = .seconds(300)
    /// The time without a key while a PIN is asked for; afterwards the PIN is wiped.
    public static let entry: Duration = .seconds(30)
    /// The longest wait that the screen does not show.
    public static let wait: Duration = .milliseconds(300)
    /// The time within which another press of a key on a number pad changes the character.
    public static let tap: Duration = .seconds(1)
    /// The time until an unused scan screen dims.
    public static let rest: Duration = .seconds(300)
    /// The time between two moves of the dim picture.
    public static let restMove: Duration = .seconds(60)
    /// The time for the report to a server that a session was given up.
    public static let abort: Duration = .seconds(2)

    public static let invalidCodeNotice: Duration = .seconds(1)
    public static let notice: Duration = .seconds(3)
    /// The time for a remark on a personal card: the person has to act on it elsewhere.
    public static let cardNotice: Duration = .seconds(8)
    /// The time for a personal card on the screen, long enough to fetch a phone out of a bag.
    public static let issuedCard: Duration = .seconds(120)
    /// Long enough to read the result and the next step; OK ends it sooner.
    public static let outcome: Duration = .seconds(8)
    public static let success: Duration = .seconds(5)

    /// The time that the end of a session is shown.
    static func display(of outcome: SessionOutcome) -> Duration { outcome.isSuccess ? success : KioskTiming.outcome }

    /// The time for ending a browser's session.
    public static let logout: Duration = .seconds(15)
    /// The longest time for an issued code on the screen: another person may come by.
    public static let issuedCode: Duration = .seconds(300)

    /// The time until the shown number of seconds changes: long at first, for screens that read every change aloud.
    static func countdownStep(from timeLeft: Duration) -> Duration {
        if timeLeft > .seconds(20) { return .seconds(10) }
        return timeLeft > .seconds(10) ? timeLeft - .seconds(10) : min(timeLeft, .seconds(1))
    }

    public static let codeLeavesView: Duration = .seconds(3)
    public static let codeIsRemembered: Duration = .seconds(600)

    /// The pause after the given number of wrong PINs in one session: 1, 2, 4, 8, then 16 seconds.
    public static func pause(afterWrongPINs count: Int) -> Duration { .seconds(1 << min(max(count - 1, 0), 4)) }
}
