// SPDX-License-Identifier: Apache-2.0

import ScannerProtocol

/// Why the process has no parent to work for any more.
enum ParentLost: Error {
    case isGone
    case doesNotRead
    case speaksNonsense(ScannerMessageError)
}
