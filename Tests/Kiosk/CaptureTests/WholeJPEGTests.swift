// SPDX-License-Identifier: Apache-2.0

import Patience
import KioskPorts
import PictureTestKit
import Testing
@testable import Capture

/// A JPEG that breaks a rule is accepted if all its blocks are there, and refused if one is missing.
@Suite struct WholeJPEGTests {
    /// Grey, 16 x 8, in two restart intervals of one block, by hand from ITU-T T.81. The test gives the entropy-coded
    /// bytes of both blocks, and the bytes between and after them.
    static func grey(_ scan: [UInt8]) -> [UInt8] {
        grey(frame: 0xC0, scans: [0xFF, 0xDA, 0, 8, 1, 1, 0x00, 0, 63, 0] + scan)
    }

    static let whole = grey([0x3F, 0xFF, 0xD0, 0x3F, 0xFF, 0xD9])

    private static let quantisation = [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
    /// One code for all means, and one for everything else.
    private static let codes = ([0x00, 0x10] as [UInt8]).flatMap { kind in
        [0xFF, 0xC4, 0, 20, kind, 1] + [UInt8](repeating: 0, count: 16)
    }

    private static func grey(frame: UInt8, scans: [UInt8]) -> [UInt8] {
        let parts: [[UInt8]] = [
            [0xFF, 0xD8], quantisation, [0xFF, frame, 0, 11, 8, 0, 8, 0, 16, 1, 1, 0x11, 0], codes,
            [0xFF, 0xDD, 0, 4, 0, 1], scans,
        ]
        return Array(parts.joined())
    }

    /// More bytes than the library reads ahead, so that it warns.
    static let spare = [UInt8](repeating: 0, count: 12)

    private func grey(_ scan: [UInt8]) -> [UInt8] { WholeJPEGTests.grey(scan) }

    /// - Returns: whether it has a flaw; nil when it is refused.
    private func read(_ bytes: [UInt8]) -> Bool? {
        var isFlawed = false
        guard let picture = try? Picture(decoding: bytes, from: "x", isFlawed: &isFlawed) else { return nil }
        #expect(picture == Picture(width: 16, height: 8, shade: 128))
        return isFlawed
    }

    @Test func aPictureWithoutAFlawIsWhole() {
        #expect(read(Self.whole) == false)
    }

    /// Logitech's C270 and C910 write every frame like this. The library warns of the bytes that it has not read
    /// ahead.
    @Test(arguments: [1, 2, 4, 12]) func spareBytesBeforeAMarkerAreNoDamage(count: Int) {
        let isFlawed = read(grey([0x3F] + WholeJPEGTests.spare.prefix(count) + [0xFF, 0xD0, 0x3F, 0xFF, 0xD9]))
        #expect(count < 12 ? isFlawed != nil : isFlawed == true)
    }

    @Test(arguments: [[], [0xFF], [0, 0, 0, 0]] as [[UInt8]])
    func withoutAnEndMarkerAllBlocksAreThere(end: [UInt8]) {
        #expect(read(grey([0x3F, 0xFF, 0xD0, 0x3F] + end)) != nil)
    }

    /// A reader that hears the first warning alone would take spare bytes for all that is wrong.
    @Test(
        arguments: [
            [0x3F], [0x3F, 0xFF, 0xD0], [0x3F, 0xFF, 0xD0, 0xFF, 0xD9], [0x3F] + spare + [0xFF, 0xD0, 0xFF, 0xD9],
            [0x3F, 0, 0xFF, 0xD0],
            [0xFF, 0xD0, 0x3F, 0xFF, 0xD9], [0x3F, 0xFF, 0xD9],
        ] as [[UInt8]])
    func aMissingBlockIsNoPicture(scan: [UInt8]) {
        #expect(read(grey(scan)) == nil)
    }

    /// The scans of such a file refine one picture, so truncation leaves no block empty.
    @Test func aMissingScanIsNoPicture() {
        // The means of the blocks but for their last bit, that bit, and everything else.
        let scans: [[UInt8]] = [(0, 0, 0x01), (0, 0, 0x10), (1, 63, 0)].map { first, last, bits in
            [0xFF, 0xDA, 0, 8, 1, 1, 0x00, first, last, bits, 0x7F, 0xFF, 0xD0, 0x7F]
        }
        func file(_ count: Int) -> [UInt8] {
            WholeJPEGTests.grey(frame: 0xC2, scans: Array(scans.prefix(count).joined()))
        }
        #expect(read(file(3) + [0xFF, 0xD9]) == false && read(file(3)) == true)
        for count in 1...2 { #expect(read(file(count)) == nil) }
    }

    /// Four inks, as in print software: 8 x 8, each ink at half strength.
    @Test(arguments: [false, true]) func inksBecomeLuma(isAdobes: Bool) throws {
        let adobe: [UInt8] = [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]
        let parts: [[UInt8]] = [
            [0xFF, 0xD8], isAdobes ? adobe : [], Self.quantisation,
            [0xFF, 0xC0, 0, 20, 8, 0, 8, 0, 8, 4, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 4, 0x11, 0],
            Self.codes,
            [0xFF, 0xDA, 0, 14, 4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0, 0x00, 0xFF, 0xD9],
        ]
        let picture = try Picture(decoding: Array(parts.joined()), from: "x")
        #expect(picture == Picture(width: 8, height: 8, shade: isAdobes ? 64 : 63))
    }

    @Test func aFolderCountsFlawsAndDamage() throws {
        let folder = try TemporaryFolder.made()
        try folder.write(grey([0x3F] + WholeJPEGTests.spare + [0xFF, 0xD0, 0x3F, 0xFF, 0xD9]), to: "1.jpg")
        try folder.write(grey([0x3F, 0xFF, 0xD9]), to: "2.jpg")
        try folder.write(Self.whole, to: "3.jpg")
        var source = try PictureSource(folder: folder.path, clock: ManualFrameClock())
        while try source.lendNext(within: .seconds(1), to: { _ in }) != .ended {}
        #expect((source.flawed, source.damaged) == (1, 1))
    }
}
