// SPDX-License-Identifier: Apache-2.0

import Capture
import KioskPorts
import LoginValues
import PictureTestKit
import Scanning
import Testing

@Suite struct ZXingDecoderTests {
    private func symbols(_ picture: Picture, _ decoder: inout ZXingDecoder) -> [Symbol] {
        picture.withFrame(captured: .zero) { decoder.symbols(in: $0) }
    }

    private func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }

    /// The pictures side by side on white.
    private func row(_ pictures: [Picture]) -> Picture {
        var whole = Picture(
            width: pictures.reduce(0) { $0 + $1.width }, height: pictures.map(\.height).max() ?? 1, shade: 255)
        var x = 0
        for picture in pictures {
            whole.draw(picture, x: x, y: 0)
            x += picture.width
        }
        return whole
    }

    @Test(arguments: [
        Array("https://login.example/mfa#a1b2c3".utf8), Array("caf\u{E9} \u{65E5}\u{672C}".utf8), [0],
        [0, 255, 0x5C, 0x81],
    ])
    func bytesComeBackAsTheyWere(payload: [UInt8]) {
        var decoder = ZXingDecoder()
        #expect(symbols(QRPicture.encode(payload), &decoder).map(\.payload) == [SecretBytes(copying: payload)])
    }

    @Test func aSetIsJoinedWhateverTheOrderAndOnlyWhenWhole() throws {
        let text = String(repeating: "0123456789abcdef;", count: 8)
        let parts = QRPicture.structured(text, version: 5)
        try #require(parts.count >= 2)
        var decoder = ZXingDecoder()
        #expect(symbols(row(parts.reversed()), &decoder).map(\.payload) == [secret(text)])
        #expect(symbols(row(parts), &decoder).map(\.parts) == [parts.count])
        for part in parts { #expect(symbols(part, &decoder).isEmpty) }
        // Parts from different frames are never joined, and one part twice does not count as two.
        #expect(symbols(parts[0], &decoder).isEmpty && symbols(parts[1], &decoder).isEmpty)
        #expect(symbols(row([parts[0], parts[0]]), &decoder).isEmpty)
    }

    @Test func partsOfDifferentSetsAreNotJoined() throws {
        let one = QRPicture.structured(String(repeating: "one set of codes ", count: 6), version: 5)
        let other = QRPicture.structured(String(repeating: "other set, codes ", count: 6), version: 5)
        try #require(one.count == 2 && other.count == 2)
        var decoder = ZXingDecoder()
        #expect(symbols(row([one[0], other[1]]), &decoder).isEmpty)
        #expect(symbols(row([other[0], one[1]]), &decoder).isEmpty)
        // A code beside a part is read as usual.
        let beside = symbols(row([one[0], QRPicture.encode("alone")]), &decoder)
        #expect(beside.map(\.payload) == [secret("alone")])
    }

    @Test func noiseIsNoCode() {
        var decoder = ZXingDecoder(effort: .everything)
        for seed: UInt64 in 1...10 {
            #expect(symbols(.noise(width: 200, height: 150, seed: seed), &decoder).isEmpty, "seed \(seed)")
        }
        for side in [1, 2, 5, 16] {
            #expect(symbols(Picture(width: side, height: side, shade: 0), &decoder).isEmpty)
        }
    }
}
