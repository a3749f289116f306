// SPDX-License-Identifier: Apache-2.0

/// Why the process leaves although its source is neither broken nor at its end.
enum Departure: Error {
    case toldToStop
    /// A camera may have come back under a device file that was not there when the process confined itself.
    case outgrown
}
