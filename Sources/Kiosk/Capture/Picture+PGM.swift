// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension Picture {
    /// Reads a PGM, binary (P5) or plain (P2), with samples of one or two bytes, as netpbm's `pgm` page defines it.
    init(pgm bytes: [UInt8], from place: String) throws(FrameSourceError) {
        var reader = PGMReader(bytes, place: place)
        let plain = try reader.magicIsPlain()
        let width = try reader.number()
        let height = try reader.number()
        try Picture.check(width: width, height: height, from: place)
        let brightest = try reader.number()
        guard (1...65535).contains(brightest) else { throw reader.malformed("has a brightest value of \(brightest)") }
        try reader.skipSeparator()
        let count = width * height
        // Before memory is taken: a plain sample is a digit and a separator at least.
        let needed = plain ? 2 * count - 1 : brightest > 255 ? 2 * count : count
        guard reader.remaining >= needed else { throw reader.malformed("ends before its last pixel") }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(count)
        for _ in 0..<count {
            let sample =
                if plain { try reader.number() } else if brightest > 255 { reader.byte() << 8 | reader.byte() } else {
                    reader.byte()
                }
            guard sample <= brightest else { throw reader.malformed("has a pixel brighter than its brightest value") }
            pixels.append(UInt8(brightest == 255 ? sample : (sample * 255 + brightest / 2) / brightest))
        }
        self.init(width: width, height: height, pixels: pixels)
    }
}
