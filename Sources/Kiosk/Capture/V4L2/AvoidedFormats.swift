// SPDX-License-Identifier: Apache-2.0

/// Formats of cameras that come last, because they delivered nothing of use.
struct AvoidedFormats: Equatable {
    enum Reason: Equatable {
        /// Frames of this format could not be decoded, whatever their size.
        case undecodable(PixelCode)
        /// Nothing came in this size, whatever its format.
        case silent(width: Int, height: Int)
        /// The bus has no room for frames of this format and as many pixels.
        case noRoom(PixelCode, area: Int)

        func concerns(_ code: PixelCode, _ width: Int, _ height: Int) -> Bool {
            switch self {
            case .undecodable(let other): code == other
            case .silent(let otherWidth, let otherHeight): width == otherWidth && height == otherHeight
            case .noRoom(let other, let area): code == other && width * height >= area
            }
        }
    }

    private var reasons: [String: [Reason]] = [:]

    mutating func insert(_ reason: Reason, at path: String) { reasons[path, default: []].append(reason) }

    mutating func removeAll() { reasons.removeAll() }

    /// - Parameter path: the device file of the camera.
    func contains(_ code: PixelCode, _ width: Int, _ height: Int, at path: String) -> Bool {
        reasons[path, default: []].contains { $0.concerns(code, width, height) }
    }

    func contains(_ format: DeliveredFormat, at path: String) -> Bool {
        contains(format.code, format.width, format.height, at: path)
    }

    func count(at path: String) -> Int { reasons[path, default: []].count }
}
