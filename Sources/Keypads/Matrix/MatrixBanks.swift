// SPDX-License-Identifier: Apache-2.0

import KioskCore

/// The lines of a pad.
struct MatrixBanks<Bank: LineBank & ~Copyable>: ~Copyable {
    var rows: Bank
    var columns: Bank
}
