// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Returns these bytes after some changes: bytes are replaced, removed, added, doubled, or become a length that exceeds
    /// any file; or the end is cut off.
    public func damaged(
        _ changes: ClosedRange<Int> = 1...4, using random: inout some RandomNumberGenerator
    ) -> [UInt8] {
        var bytes = self
        for _ in 0..<Int.random(in: changes, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(.random(in: 0...255, using: &random), at: .random(in: 0...bytes.count, using: &random))
            case 2: bytes.removeSubrange(place...)
            case 3: bytes.insert(contentsOf: bytes[..<place], at: place)
            case 4: bytes.replaceSubrange(place..<Swift.min(place + 4, bytes.count), with: [255, 255, 255, 255])
            default: bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return bytes
    }
}
