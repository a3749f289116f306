// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import KioskPorts
import Testing
@testable import login_kiosk_dev

/// Pictures that are too many to be kept here, and not the project's own. `LOGIN_KIOSK_QR_DATA` names the folder that
/// contains `dev` and `hostile`.
private let dataFolder = ProcessInfo.processInfo.environment["LOGIN_KIOSK_QR_DATA"].map { URL(filePath: $0) }

@Suite(
    "A data set on this machine",
    .enabled(if: dataFolder != nil, "set LOGIN_KIOSK_QR_DATA to the folder of the pictures"))
struct DataSetTests {
    @Test func nothingIsReadWrongAndEveryRuleOfExactPicturesIsMet() throws {
        let folder = try #require(dataFolder)
        let manifest = try Manifest(path: folder.appending(path: "dev/manifest.json").path())
        let competition = Competition(manifests: [manifest], contestants: [.pipeline]) { _, _ in }
        let score = try #require(try competition.run()[.pipeline])
        for (name, tally) in score.totals.folder { #expect(tally.wrong == 0, "\(name)") }
        for name in ["exact", "camera", "neg"] {
            let tally = try #require(score.totals.folder[name])
            #expect(tally.met == tally.images, "\(name): \(score.missed)")
        }
        for (file, sequence) in score.sequences {
            #expect(try #require(sequence.lagFrames, "\(file) was not read") <= 2, "\(file)")
        }
    }

    /// Files `what-WIDTHxHEIGHT-y800.raw`, each of which has crashed a decoder.
    @Test func hostileFramesAreIgnored() throws {
        let folder = try #require(dataFolder).appending(path: "hostile")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        #expect(!files.isEmpty)
        for file in files {
            let size = try #require(file.firstMatch(of: /-(\d+)x(\d+)-y800\.raw$/), "\(file) tells no size")
            let (width, height) = (try #require(Int(size.1)), try #require(Int(size.2)))
            let bytes = [UInt8](try Data(contentsOf: folder.appending(path: file)))
            let layout = try #require(RawLayout(pixelFormat: "Y800", width: width, height: height, stride: nil))
            let picture = try #require(layout.picture(bytes))
            for contestant in Contestant.allCases {
                for isLive in [true, false] {
                    var decoder = contestant.decoder(isLive: isLive)
                    for _ in 0..<12 {
                        let count = picture.withFrame(captured: .zero) { decoder.symbols(in: $0).count }
                        #expect(count == 0, "\(file), \(contestant)")
                    }
                }
            }
        }
    }
}
