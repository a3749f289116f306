// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension SourceSpecification {
    private static let sides = 16...Frame.maximumSide

    /// - Parameters:
    ///   - words: the word `camera` and its options.
    ///   - name: the text after the colon, if there is one.
    static func camera(
        _ words: [Substring], _ name: Substring?
    ) throws(Problem) -> CameraRequest {
        var settings = CameraSettings()
        for option in words.dropFirst() {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { throw .unknown(option) }
            try apply(parts[0], parts[1], to: &settings)
        }
        guard let name else { return CameraRequest(.any, settings: settings) }
        let path = try path(name)
        return CameraRequest(path.hasPrefix("/") ? .node(path) : .named(path), settings: settings)
    }

    static func size(_ value: Substring) throws(Problem) -> CameraSettings.Size {
        guard let size = size(String(value)) else {
            throw .wrong(
                "size=\(value)",
                "a size is WIDTHxHEIGHT, each \(sides.lowerBound) to \(sides.upperBound)")
        }
        return size
    }

    /// - Parameter text: `WIDTHxHEIGHT`.
    static func size(_ text: String) -> CameraSettings.Size? {
        let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let width = numbers[0], let height = numbers[1], sides.contains(width),
            sides.contains(height)
        else { return nil }
        return CameraSettings.Size(width: width, height: height)
    }

    /// Applies one option. Every other name is taken for a control here: the camera's controls are known only when it
    /// is opened.
    private static func apply(
        _ option: Substring, _ value: Substring, to settings: inout CameraSettings
    ) throws(Problem) {
        switch option {
        case "format":
            guard let format = PixelCode(String(value)) else {
                throw .wrong("format=\(value)", "a format is a code of four characters, as YUYV or MJPG")
            }
            settings.format = format
        case "size": settings.size = try size(value)
        case "rate": settings.rate = try rate(value)
        case "vary-exposure":
            guard let isVaried = Bool(String(value)) else {
                throw .wrong("vary-exposure=\(value)", "it is true or false")
            }
            settings.variesExposure = isVaried
        default:
            let number = Int32(value)
            guard number != nil || value == "auto" else {
                throw .wrong("\(option)=\(value)", "a control is set to a number or to auto")
            }
            settings.controls.append(CameraSettings.Control(name: String(option), value: number))
        }
    }
}
