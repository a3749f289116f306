// SPDX-License-Identifier: Apache-2.0

import KioskCore

extension SourceSpecification {
    private static let sides = 16...Frame.maximumSide

    /// - Parameters:
    ///   - words: the word `camera` and its options.
    ///   - name: what follows the colon, if there is one.
    static func camera(
        _ words: [Substring], _ name: Substring?, in text: String
    ) throws(FrameSourceError) -> CameraRequest {
        var settings = CameraSettings()
        for option in words.dropFirst() {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, apply(parts[0], String(parts[1]), to: &settings) else {
                throw invalid(text, "has the unknown option '\(option)'")
            }
        }
        guard let name else { return CameraRequest(.any, settings: settings) }
        let path = try path(name, in: text)
        return CameraRequest(path.hasPrefix("/") ? .node(path) : .named(path), settings: settings)
    }

    /// - Parameter text: `WIDTHxHEIGHT`.
    static func size(_ text: String) -> CameraSettings.Size? {
        let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let width = numbers[0], let height = numbers[1], sides.contains(width),
            sides.contains(height)
        else { return nil }
        return CameraSettings.Size(width: width, height: height)
    }

    /// - Returns: false when there is no such option, or not with that value.
    private static func apply(_ option: Substring, _ value: String, to settings: inout CameraSettings) -> Bool {
        switch option {
        case "format":
            settings.format = PixelCode(value)
            return settings.format != nil
        case "size":
            settings.size = size(value)
            return settings.size != nil
        case "rate":
            guard let rate = Double(value), Playback.rates.contains(rate) else { return false }
            settings.rate = rate
        default:
            let number = Int32(value)
            guard number != nil || value == "auto" else { return false }
            settings.controls.append(CameraSettings.Control(name: String(option), value: number))
        }
        return true
    }
}
