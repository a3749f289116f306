// SPDX-License-Identifier: Apache-2.0

extension SourceSpecification {
    private static let usualSize: Substring = "size=1280x720"
    private static let usualRate = 30.0
    private static let numbers = 0...9

    /// - Parameters:
    ///   - words: the word `rpicam` and its options.
    ///   - number: the text after the colon, if there is one.
    static func sensor(
        _ words: [Substring], _ number: Substring?
    ) throws(Problem) -> SensorRequest {
        var size = usualSize
        var rate = usualRate
        for option in words.dropFirst() {
            if option.hasPrefix("size=") {
                size = option
            } else if option.hasPrefix("rate=") {
                rate = try self.rate(option.dropFirst(5))
            } else {
                throw .unknown(option)
            }
        }
        let format = try rawFormat(size)
        guard let number else { return SensorRequest(format, rate: rate) }
        guard let index = Int(number), numbers.contains(index) else {
            throw Problem("names no camera by a number of 0 to 9")
        }
        return SensorRequest(format, rate: rate, number: index)
    }

    /// - Parameter option: `size=WxH`.
    static func rawFormat(_ option: Substring) throws(Problem) -> RawStreamFormat {
        guard option.hasPrefix("size=") else { throw .unknown(option) }
        let size = try size(option.dropFirst(5))
        guard let format = RawStreamFormat(width: size.width, height: size.height) else {
            throw Problem("asks for a width that is no multiple of \(RawStreamFormat.alignment), or an odd height")
        }
        return format
    }
}
