// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskPorts
import LoginValues
@testable import Capture
@testable import QRReader
@testable import Scanning

extension FuzzTarget {
    /// The own reader, on the modules of a symbol: the first byte is the version, then a bit a module.
    static let grids = FuzzTarget(name: "grids") { input in
        var grid = ModuleGrid()
        grid.become(SymbolVersion(number: 1 + input.number(below: 40)))
        let isUnsure = input.byte() & 1 == 1
        var (bits, left): (UInt8, Int) = (0, 0)
        for index in 0..<grid.dimension * grid.dimension {
            if isUnsure {
                grid[index] = Float(Int8(bitPattern: input.byte())) / 127
                continue
            }
            if left == 0 { (bits, left) = (input.byte(), 8) }
            grid[index] = bits & 1 == 1 ? 1 : -1
            (bits, left) = (bits >> 1, left - 1)
        }
        var decoder = GridDecoder()
        var isMirrored = false
        if decoder.decodeEitherWay(&grid, isPersistent: true, isMirrored: &isMirrored) {
            expect((0...7089).contains(decoder.count), "a symbol holds at most 7,089 characters")
        }
    }

    /// Files of pictures through their decoders, and grey pixels through all readers. The first byte chooses: a
    /// file, or the width of grey pixels.
    static let pictures = FuzzTarget(name: "pictures", longest: 40_000) { input in
        let width = Int(input.byte())
        let bytes = input.rest
        let picture: Picture
        if width == 0 {
            guard let decoded = try? Picture(decoding: bytes, from: "input"), decoded.width * decoded.height <= 160_000
            else { return }
            picture = decoded
        } else {
            let height = bytes.count / width
            guard height > 0 else { return }
            // Each pixel four times in each direction, or a module would need 16 bytes.
            var pixels: [UInt8] = []
            for row in 0..<4 * height {
                for column in 0..<4 * width { pixels.append(bytes[row / 4 * width + column / 4]) }
            }
            picture = Picture(width: 4 * width, height: 4 * height, pixels: pixels)
        }
        var scanner = Scanner(effort: .withinBudget)
        var reader = QRReader()
        picture.withFrame(captured: .zero) { frame in
            for symbol in scanner.symbols(in: frame) {
                expect(Symbol.payloadLengths.contains(symbol.payload.count), "a payload's length is bounded")
            }
            _ = reader.read(frame, effort: .oneTurn)
        }
    }

    /// Streams of pictures: Y4M from a file, and the JPEG frames of a camera.
    static let streams = FuzzTarget(name: "streams", longest: 40_000) { input in
        let isCamera = input.byte() & 1 == 1
        let bytes = input.rest
        var frame = FrameBuffer()
        if isCamera {
            unsafe bytes.withUnsafeBytes { bytes in
                for sparesSize in [false, true] {
                    _ = unsafe try? CameraJPEG.decode(bytes, sparesSize: sparesSize, into: &frame)
                }
            }
            return
        }
        guard let stream = unsafe tmpfile() else { return }
        let file = unsafe dup(fileno(stream))
        unsafe fclose(stream)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
        lseek(file, 0, SEEK_SET)
        var reader = Y4MReader(Descriptor(owning: file), place: "input")
        guard let header = (try? reader.header()) ?? nil, header.width * header.height <= 1 << 20 else { return }
        for _ in 0..<8 { guard (try? reader.frame(header, into: &frame)) == true else { return } }
    }
}
