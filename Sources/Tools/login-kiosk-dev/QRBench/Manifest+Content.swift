// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension Manifest {
    /// The JSON's members. Other readers use further ones.
    struct Content: Decodable {
        var version: Int
        var images: [Image]
    }

    struct Image: Decodable {
        var file: String
        var category: String
        var kind: String
        var expect: EntryRule
        var texts: [String]
        var width: Int?
        var height: Int?
        var pixelFormat: String?
        var stride: Int?
        var bytesHex: String?
        var firstDecodable: Int?

        enum CodingKeys: String, CodingKey {
            case file, category, kind, expect, texts, width, height, stride
            case pixelFormat = "pixel_format"
            case bytesHex = "bytes_hex"
            case firstDecodable = "first_decodable"
        }

        func entry(at place: String) throws(ManifestError) -> ManifestEntry {
            let steps = file.split(separator: "/", omittingEmptySubsequences: false)
            guard !file.utf8.contains(0), !steps.contains(where: { $0.isEmpty || $0 == ".." }) else {
                throw ManifestError(
                    place: place, problem: "\"file\" leads out of the manifest's folder",
                    remedy: "give a path below that folder")
            }
            if expect.asksForText && texts.isEmpty {
                throw ManifestError(
                    place: place, problem: "expects a text and has none", remedy: "give it in \"texts\"")
            }
            var entry = ManifestEntry(
                file: file, category: category, isPhotograph: kind == "real", rule: expect, texts: texts,
                firstDecodable: firstDecodable)
            if let bytesHex {
                guard let bytes = Image.bytes(hex: bytesHex) else {
                    throw ManifestError(
                        place: place, problem: "\"bytes_hex\" is no hexadecimal text",
                        remedy: "give two digits a byte")
                }
                entry.bytes = bytes
            }
            if let pixelFormat { entry.layout = try layout(pixelFormat, at: place) }
            return entry
        }

        private func layout(_ pixelFormat: String, at place: String) throws(ManifestError) -> RawLayout {
            let sides = 1...Frame.maximumSide
            guard let width, let height, sides.contains(width), sides.contains(height) else {
                throw ManifestError(
                    place: place, problem: "has a \"pixel_format\" without a possible width and height",
                    remedy: "give both, from 1 to \(Frame.maximumSide)")
            }
            guard let layout = RawLayout(pixelFormat: pixelFormat, width: width, height: height, stride: stride) else {
                throw ManifestError(
                    place: place, problem: "has the unknown \"pixel_format\" \(pixelFormat)",
                    remedy: "give YUYV, UYVY, GREY, NV12, NV21 or YU12")
            }
            guard (width * layout.step...Frame.maximumSide * 4).contains(layout.stride) else {
                throw ManifestError(
                    place: place, problem: "has a \"stride\" of \(layout.stride) bytes",
                    remedy: "give at least what a row of \(width) pixels needs")
            }
            return layout
        }

        private static func bytes(hex: String) -> [UInt8]? {
            let digits = hex.compactMap(\.hexDigitValue)
            guard digits.count == hex.count, digits.count.isMultiple(of: 2) else { return nil }
            var bytes: [UInt8] = []
            for index in Swift.stride(from: 0, to: digits.count, by: 2) {
                bytes.append(UInt8(digits[index] << 4 | digits[index + 1]))
            }
            return bytes
        }
    }
}
