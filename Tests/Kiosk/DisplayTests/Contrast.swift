// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts

@testable import Display

extension Colour {
    /// The contrast of WCAG 2, from 1 to 21.
    func contrast(to other: Colour, _ look: ScreenLook) -> Double {
        let (one, two) = (light(look).luminance, other.light(look).luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }
}

extension Colour.Light {
    fileprivate var luminance: Double {
        func linear(_ part: UInt8) -> Double {
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}
