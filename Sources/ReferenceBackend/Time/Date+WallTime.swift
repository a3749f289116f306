// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Date {
    /// In whole seconds, as in web tokens.
    init(_ time: WallTime) { self.init(timeIntervalSince1970: Double(time.seconds)) }
}
