// SPDX-License-Identifier: Apache-2.0

import Patience
import Foundation
import LinuxSystem
import PictureTestKit
import Testing

@testable import ConfinedProcess
@testable import login_kiosk_scanner

/// A library that acts like a taken-over scanner (Tests/preloaded), in the real program with each kind of source. All
/// its attempts fail, and its parent and a key of the same user are unchanged.
@Suite(
    "A captured scanner", .serialized, .enabled(if: Intruder.compiler != nil, "no C compiler"), .timeLimit(.minutes(10))
)
struct IntruderTests {
    /// One source of each kind, in the folder that `prepare` fills, and two that cannot be opened.
    static let sources = [
        "file,loop:DIR/code.png", "dir,loop:DIR/pictures", "DIR/film.y4m", "y4m:DIR/pipe", "yuv420,size=64x64:DIR/pipe",
        "y4m:fd/9", "camera:no such camera", "/nowhere", "no:source",
    ]

    /// arm64 never had the calls that newer ones replaced, such as open, link and chmod.
    private static let fewestAttempts: Int = {
        #if arch(arm64)
            return 170
        #else
            return 180
        #endif
    }()

    private static func prepare(_ folder: TemporaryFolder) throws {
        let picture = QRPicture.encode("one").png()
        try folder.write(picture, to: "code.png")
        try FileManager.default.createDirectory(atPath: folder.path + "/pictures", withIntermediateDirectories: false)
        try folder.write(picture, to: "pictures/1.png")
        let frame = Array("FRAME\n".utf8) + [UInt8](repeating: 128, count: 64 * 64)
        try folder.write(Array("YUV4MPEG2 W64 H64 F30:1 Cmono\n".utf8) + frame, to: "film.y4m")
        guard unsafe mkfifo(folder.path + "/pipe", 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    @Test(arguments: sources) func findsEveryDoorShut(source: String) throws {
        let folder = try TemporaryFolder.made()
        try Self.prepare(folder)
        let key = try folder.write([1, 2, 3], to: "key")
        guard unsafe chmod(key, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
        let keyBefore = try Intruder.facts(ofFile: key)

        let intruder = try Intruder(
            in: folder, source: source.replacingOccurrences(of: "DIR", with: folder.path), key: key)
        let parentBefore = try Intruder.facts(ofProcess: intruder.parent)
        let attempts = try intruder.attempts()

        #expect(attempts.count > Self.fewestAttempts)
        for (name, code) in attempts {
            #expect(code == (name == "clone3" ? ENOSYS : EPERM), "\(name): \(systemErrorText(code))")
        }
        #expect(kill(intruder.parent, 0) == 0)
        #expect(try Intruder.facts(ofProcess: intruder.parent) == parentBefore)
        #expect(try Intruder.facts(ofFile: key) == keyBefore)
        #expect(!FileManager.default.fileExists(atPath: key + ".other"))
    }
}
