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
        #expect(refusal(Picture.hugePNG)?.code == .tooLarge)
    }

    @Test func cutOffPNGIsRefused() throws {
        let bytes = Picture.noise(width: 40, height: 40, seed: 4).png()
        for count in [3, 8, 20, 33, 60, bytes.count / 2] {
            #expect(refusal(Array(bytes[..<count]))?.code == .malformed)
        }
    }

    @Test func aCutOffJPEGIsRefused() throws {
        #expect(refusal(Array(WholeJPEGTests.whole.dropLast(3)))?.code == .malformed)
        #expect(refusal(Array(WholeJPEGTests.whole.prefix(80)))?.code == .malformed)
    }

    /// Damaged files are refused or read, and never crash the process.
    @Test func damagedFilesDoNoHarm() throws {
        let seed: UInt64 = 77
        var random = SplitMix64(seed: seed)
        let picture = Picture.noise(width: 12, height: 9, seed: 5)
        var refused = 0
        for _ in 0..<3000 {
            for file in [picture.png(), WholeJPEGTests.whole] {
                if let error = refusal(file.damaged(1...3, using: &random)) {
                    refused += 1
                    #expect(!error.remedy.isEmpty, "seed \(seed)")
                }
            }
        }
        #expect(refused > 100)
    }
}
