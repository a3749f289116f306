// SPDX-License-Identifier: Apache-2.0

/// What a row is while another one is driven.
public enum RowDrive: String, Sendable, CaseIterable {
    /// An input without pull: right for every chip.
    case switched
    /// An output that only ever drives active, and lets go otherwise: fewer calls, for chips with such outputs.
    case open
}
