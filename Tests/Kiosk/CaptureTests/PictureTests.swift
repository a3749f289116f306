// SPDX-License-Identifier: Apache-2.0

import Capture
import KioskPorts
import PictureTestKit
import Patience
import Testing

@Suite struct PictureTests {
    private func refusal(_ bytes: [UInt8]) -> FrameSourceError? {
        do throws(FrameSourceError) {
            _ = try Picture(decoding: bytes, from: "test.picture")
            return nil
        } catch {
            return error
        }
    }

    @Test func aPNGComesBackAsItWas() throws {
        let picture = Picture.noise(width: 37, height: 21, seed: 1)
        #expect(try Picture(decoding: picture.png(), from: "x") == picture)
    }

    @Test(arguments: [
        ("", FrameSourceError.Code.unsupportedFormat), ("GIF89a", .unsupportedFormat),
        ("P6 1 1 255 abc", .unsupportedFormat), ("P5 1 1 255 a", .unsupportedFormat),
        ("\u{89}PNG", .unsupportedFormat),
    ])
    func wrongPicturesAreNamedWithARemedy(text: String, code: FrameSourceError.Code) throws {
        let error = try #require(refusal(Array(text.utf8)))
        #expect(error.code == code)
        #expect(error.place == "test.picture" && !error.problem.isEmpty && !error.remedy.isEmpty)
    }

    @Test(arguments: [
        ("\0\0\0\u{18}ftypheic", "HEIC", "JPEG"), ("\0\0\0\u{18}ftypmif1", "HEIC", "JPEG"),
        ("\0\0\0\u{1C}ftypavif", "AVIF", "PNG"), ("RIFF1234WEBPVP8 ", "WebP", "PNG"), ("GIF89a", "GIF", "PNG"),
        ("BM123456", "BMP", "PNG"), ("II*\0", "TIFF", "PNG"), ("MM\0*", "TIFF", "PNG"), ("%PDF-1.7", "PDF", "pdftoppm"),
        ("<svg xmlns=", "SVG", "rsvg-convert"),
    ])
    func otherKindsOfPicturesAreRefusedByName(start: String, name: String, remedy: String) throws {
        let error = try #require(refusal(Array(start.utf8)))
        #expect(error.code == .unsupportedFormat)
        #expect(error.problem == "is a \(name) file, which is not read here" && error.remedy.contains(remedy))
    }

    @Test func aPNGThatClaimsToBeHugeIsRefusedBeforeMemoryIsTaken() throws {
        var bytes = Picture.noise(width: 4, height: 4, seed: 3).png()
        // The width in IHDR, and its checksum.
        bytes[16..<20] = [0x00, 0x01, 0x00, 0x00]
        bytes.replaceSubrange(29..<33, with: crc32(bytes[12..<29]))
        #expect(refusal(bytes)?.code == .tooLarge)
    }

    @Test func cutOffPNGIsRefused() throws {
        let bytes = Picture.noise(width: 40, height: 40, seed: 4).png()
        for count in [3, 8, 20, 33, 60, bytes.count / 2] {
            #expect(refusal(Array(bytes[..<count]))?.code == .malformed)
        }
    }

    /// A JPEG of 8 x 8 grey pixels, by hand from ITU-T T.81: one component, one DC code, all AC zero.
    static let greyJPEG: [UInt8] = {
        let parts: [[UInt8]] = [
            [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0], [UInt8](repeating: 1, count: 64),
            [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0],
            [0xFF, 0xC4, 0, 20, 0x00, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [0xFF, 0xC4, 0, 20, 0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [0xFF, 0xDA, 0, 8, 1, 1, 0x00, 0, 63, 0, 0x3F, 0xFF, 0xD9],
        ]
        return Array(parts.joined())
    }()

    @Test func aJPEGIsRead() throws {
        let picture = try Picture(decoding: PictureTests.greyJPEG, from: "x")
        #expect(picture == Picture(width: 8, height: 8, shade: 128))
    }

    @Test func aCutOffJPEGIsRefused() throws {
        #expect(refusal(Array(PictureTests.greyJPEG.dropLast(3)))?.code == .malformed)
        #expect(refusal(Array(PictureTests.greyJPEG.prefix(80)))?.code == .malformed)
    }

    /// Damaged files are refused or read, and never crash the process.
    @Test func damagedFilesDoNoHarm() throws {
        let seed: UInt64 = 77
        var random = SplitMix64(seed: seed)
        let picture = Picture.noise(width: 12, height: 9, seed: 5)
        var refused = 0
        for _ in 0..<3000 {
            for file in [picture.png(), PictureTests.greyJPEG] {
                var bytes = file
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                if let error = refusal(bytes) {
                    refused += 1
                    #expect(!error.remedy.isEmpty, "seed \(seed)")
                }
            }
        }
        #expect(refused > 100)
    }

    /// The checksum of a PNG chunk: ISO/IEC 15948, annex D.
    private func crc32(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
        }
        sum = ~sum
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
    }
}
