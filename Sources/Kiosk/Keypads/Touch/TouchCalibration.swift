// SPDX-License-Identifier: Apache-2.0

/// The matrix by which the system's operator has a touch panel turned or straightened: `LIBINPUT_CALIBRATION_MATRIX` of
/// udev.
struct TouchCalibration: Hashable, Sendable {
    /// The upper two rows of a matrix that moves nothing.
    static let none = TouchCalibration(numbers: [1, 0, 0, 0, 1, 0])
    private static let property = "E:LIBINPUT_CALIBRATION_MATRIX="

    private let numbers: [Double]

    private init(numbers: [Double]) { self.numbers = numbers }

    /// - Parameter record: of the device in udev's database.
    /// - Returns: nil when it has no valid matrix.
    init?(udev record: String) {
        guard let line = record.split(separator: "\n").first(where: { $0.hasPrefix(TouchCalibration.property) })
        else { return nil }
        let words = line.dropFirst(TouchCalibration.property.count).split { $0 == " " || $0 == "\t" }
        // Only decimal numbers: neither infinity nor hexadecimal.
        let numbers = words.compactMap { word in
            word.utf8.allSatisfy { "+-.0123456789eE".utf8.contains($0) } ? Double(word) : nil
        }
        guard words.count == 6, numbers.count == 6, numbers.allSatisfy({ abs($0) <= 1000 }) else { return nil }
        self.numbers = numbers
    }

    /// Moves a place, in shares of the panel's width and height.
    func applied(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        (numbers[0] * x + numbers[1] * y + numbers[2], numbers[3] * x + numbers[4] * y + numbers[5])
    }
}
