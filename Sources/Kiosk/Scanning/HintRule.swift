// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Finds the obstacle in a code's way from a frame's figures. A hint that was given is kept until its figure is clearly
/// better than the one that led to it.
enum HintRule {
    static func hint(
        for quality: FrameQuality, finders: [FinderSearch.Finder], now current: ScannerHint?
    ) -> ScannerHint? {
        func limit(_ hint: ScannerHint, _ entering: Double, leaving: Double) -> Double {
            current == hint ? leaving : entering
        }
        if Double(quality.brightest) < limit(.tooDark, 60, leaving: 75) { return .tooDark }
        if Double(quality.darkest) > limit(.tooBright, 215, leaving: 200) { return .tooBright }
        if quality.whiteShare > limit(.tooBright, 0.7, leaving: 0.6) { return .tooBright }
        // A code has three; one alone is a picture frame.
        if finders.count >= 2 {
            let modules = finders.map(\.module).sorted()
            if modules[modules.count / 2] < limit(.tooSmall, 2, leaving: 2.3) { return .tooSmall }
            if Double(quality.sharpness) < limit(.blurred, 60, leaving: 75) { return .blurred }
            return .unreadable
        }
        let contrast = Int(quality.brightest) - Int(quality.darkest)
        if contrast >= 40, Double(quality.sharpness) < limit(.blurred, 26, leaving: 34) { return .blurred }
        return nil
    }
}
