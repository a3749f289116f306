// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension MPin {
    /// The PIN that a person typed.
    ///
    /// - Throws: ``Status/pinInputCanceled`` when there is none.
    static func required(_ pin: consuming Pin?, in call: StaticString) throws(MPinError) -> Pin {
        switch consume pin {
        case .some(let pin): return pin
        case .none: throw MPinError(status: .pinInputCanceled, detail: "\(call): no PIN was given")
        }
    }
}
