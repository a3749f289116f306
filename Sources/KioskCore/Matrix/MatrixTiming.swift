// SPDX-License-Identifier: Apache-2.0

/// The times of a matrix of keys. `docs/keypads.md` lists them.
public enum MatrixTiming {
    /// From one look at the matrix to the next.
    public static let scanPeriod = Duration.milliseconds(5)
    /// How long a contact is closed without a break before it counts as pressed.
    public static let press = Duration.milliseconds(10)
    /// How long a contact is open without a break before it counts as released: longer than worn contacts bounce.
    public static let release = Duration.milliseconds(25)
    /// In how many looks in a row it is so: a thread that was not scheduled in time must not decide by one of them.
    static let looks = 3
    /// How long the back key is held to clear everything.
    public static let hold = Duration.seconds(1)
    /// How long a contact is closed before its key passes for stuck, and the others are heard beside it.
    public static let stuck = Duration.seconds(10)
}
