// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import PictureTestKit
import Patience
import Testing

@testable import login_kiosk_dev

@Suite struct ManifestTests {
    static let whole = """
        {"version": 1, "note": "for people", "images": [
          {"file": "exact/a.png", "category": "exact", "kind": "exact", "expect": "text", "texts": ["A"],
           "width": 10, "height": 10, "bytes_hex": "41", "source": "x", "license": "y", "ref": {"any": true}},
          {"file": "camera/b.raw", "category": "camera-format", "kind": "synthetic", "expect": "none-or-text",
           "texts": [], "width": 2, "height": 2, "pixel_format": "YUYV", "stride": 6},
          {"file": "seq/c.mjpeg", "category": "sequence", "kind": "synthetic", "expect": "text", "texts": ["B"],
           "frames": 9, "fps": 30, "first_decodable": 4}
        ]}
        """

    private func manifest(_ json: String) throws(ManifestError) -> Manifest {
        try Manifest(json: Data(json.utf8), path: "dev/manifest.json")
    }

    @Test func everyFieldIsTaken() throws {
        let entries = try manifest(ManifestTests.whole).entries
        #expect(entries.map(\.folder) == ["exact", "camera", "seq"])
        #expect(entries.map(\.rule) == [.text, .noneOrText, .text])
        #expect(entries.map(\.isSequence) == [false, false, true])
        #expect(entries[0].bytes == [0x41] && entries[0].texts == ["A"] && !entries[0].isPhotograph)
        #expect(entries[1].layout == RawLayout(pixelFormat: "YUYV", width: 2, height: 2, stride: 6))
        #expect(entries[2].firstDecodable == 4)
    }

    @Test(arguments: [
        ("{", "does not fit", "dev/manifest.json"), ("[]", "does not fit", "dev/manifest.json"),
        (#"{"version": 2, "images": []}"#, "version 2", "dev/manifest.json"),
        (#"{"version": 1, "images": []}"#, "lists no images", "dev/manifest.json"),
        (#"{"version": 1, "images": [{"file": "a"}]}"#, #"lacks "category""#, "dev/manifest.json: images[0]"),
        (whole.replacing(#""expect": "none-or-text""#, with: #""expect": "maybe""#), "maybe", "images[1].expect"),
        (whole.replacing(#""width": 2,"#, with: ""), "width and height", "images[1] (camera/b.raw)"),
        (whole.replacing("YUYV", with: "RG10"), "RG10", "images[1] (camera/b.raw)"),
        (whole.replacing(#""stride": 6"#, with: #""stride": 3"#), "stride", "images[1] (camera/b.raw)"),
        (whole.replacing(#""41""#, with: #""4""#), "hexadecimal", "images[0] (exact/a.png)"),
        (whole.replacing("exact/a.png", with: "../a.png"), "out of", "images[0] (../a.png)"),
        (whole.replacing("exact/a.png", with: "/a.png"), "out of", "images[0] (/a.png)"),
        (whole.replacing(#"["A"]"#, with: "[]"), "has none", "images[0] (exact/a.png)"),
    ])
    func whatIsWrongIsNamed(json: String, problem: String, place: String) throws {
        let error = try #require(throws: ManifestError.self) { try manifest(json) }
        #expect(error.problem.contains(problem) && error.place.contains(place), "\(error)")
    }

    @Test func anyBytesAreAManifestOrAnError() {
        let seed: UInt64 = 71
        var random = SplitMix64(seed: seed)
        let whole = Array(ManifestTests.whole.utf8)
        var refused = 0
        for _ in 0..<2000 {
            do throws(ManifestError) {
                let manifest = try Manifest(json: Data(whole.damaged(using: &random)), path: "m")
                #expect(!manifest.entries.isEmpty, "seed \(seed)")
            } catch {
                #expect(error.place.hasPrefix("m") && !error.remedy.isEmpty, "seed \(seed)")
                refused += 1
            }
        }
        #expect(refused > 500)
    }

    @Test func lumaIsTakenFromEveryLayout() throws {
        let yuyv = try #require(RawLayout(pixelFormat: "YUYV", width: 2, height: 2, stride: 6))
        let bytes: [UInt8] = [1, 0, 2, 0, 9, 9, 3, 0, 4, 0, 9, 9]
        #expect(yuyv.picture(bytes) == Picture(width: 2, height: 2, pixels: [1, 2, 3, 4]))
        #expect(yuyv.picture(Array(bytes.prefix(8))) == nil)
        let uyvy = try #require(RawLayout(pixelFormat: "uyvy", width: 2, height: 1, stride: nil))
        #expect(uyvy.picture([0, 5, 0, 6]) == Picture(width: 2, height: 1, pixels: [5, 6]))
        let planar = try #require(RawLayout(pixelFormat: "NV12", width: 2, height: 2, stride: nil))
        #expect(planar.picture([1, 2, 3, 4, 128, 128]) == Picture(width: 2, height: 2, pixels: [1, 2, 3, 4]))
    }

    @Test func jpegsAreToldApart() {
        let jpeg: [UInt8] = [0xFF, 0xD8, 1, 0xFF, 0xD9]
        #expect(MotionJPEG.frames(of: jpeg + jpeg + jpeg) == [0..<5, 5..<10, 10..<15])
        #expect(MotionJPEG.frames(of: jpeg) == [0..<5])
        // An end marker inside a picture's data does not count.
        #expect(MotionJPEG.frames(of: [0xFF, 0xD8, 0xFF, 0xD9, 0, 0xFF, 0xD9]) == [0..<7])
        #expect(MotionJPEG.frames(of: [1, 2, 3]).isEmpty)
    }
}
