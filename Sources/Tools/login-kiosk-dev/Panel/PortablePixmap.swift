// SPDX-License-Identifier: Apache-2.0

import Display
import Foundation

/// A picture of three bytes a pixel: `P6`, a size, 255, and the pixels.
struct PortablePixmap {
    struct Pixel: Equatable {
        let red, green, blue: UInt8

        var isGrey: Bool { red == green && green == blue }
    }

    let width: Int
    let height: Int
    private let pixels: ArraySlice<UInt8>

    init?(_ file: Data) {
        let bytes = [UInt8](file)
        var (words, start): ([Int], Int) = ([], 2)
        guard bytes.starts(with: Array("P6".utf8)) else { return nil }
        while words.count < 3 {
            guard let end = bytes[min(start + 1, bytes.count)...].firstIndex(where: { $0 <= 32 }),
                let number = Int(String(decoding: bytes[start + 1..<end], as: UTF8.self))
            else { return nil }
            words.append(number)
            start = end
        }
        (width, height) = (words[0], words[1])
        guard width > 0, height > 0, width < 10_000, height < 10_000, words[2] == 255,
            bytes.count - start - 1 == 3 * width * height
        else { return nil }
        pixels = bytes[(start + 1)...]
    }

    /// Copies the canvas: four bytes a pixel, blue first.
    init(_ canvas: Canvas) {
        (width, height) = (canvas.width, canvas.height)
        var drawn: [UInt8] = []
        unsafe canvas.withPixels { bytes in
            for start in stride(from: 0, to: bytes.count, by: canvas.stride) {
                for offset in stride(from: start, to: start + 4 * canvas.width, by: 4) {
                    unsafe drawn += [bytes[offset + 2], bytes[offset + 1], bytes[offset]]
                }
            }
        }
        pixels = drawn[...]
    }

    subscript(place: (x: Int, y: Int)) -> Pixel {
        let start = pixels.startIndex + 3 * (place.y * width + place.x)
        return Pixel(red: pixels[start], green: pixels[start + 1], blue: pixels[start + 2])
    }
}
