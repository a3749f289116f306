// SPDX-License-Identifier: Apache-2.0

import Capture
import KioskPorts
import KioskTestKit
import Signage
import Testing
@testable import WebScreen

@Suite("One view and one picture, whatever a browser has missed")
struct PageHubTests {
    let clock = ManualClock()

    static func names(_ events: [PageEvent]) -> [String] {
        events.map { event in
            switch event {
            case .view(let view): view.stage
            case .picture(let bytes, let outline): "picture \(bytes)\(outline.map { " \($0.x),\($0.y)" }.joined())"
            case .keepAlive: "keep-alive"
            }
        }
    }

    @Test func theNewestWins() async throws {
        let hub = PageHub(languages: .standard, clock: clock)
        var progress = PageHub.Progress()
        #expect(Self.names(hub.news(after: &progress)) == ["keep-alive"])
        hub.show(SampleViews.scan)
        hub.show(SampleViews.pin)
        hub.show(SampleViews.scan)
        hub.show(jpeg: [1])
        hub.show(jpeg: [2])
        #expect(Self.names(hub.news(after: &progress)) == ["scan", "picture [2]"])
        #expect(Self.names(hub.news(after: &progress)) == ["keep-alive"])
        hub.show(jpeg: [3], outline: [PixelPoint(x: 4, y: 5)])
        #expect(Self.names(hub.news(after: &progress)) == ["picture [3] 4,5"])
        let event = PageEvent.picture([3], outline: [PixelPoint(x: 4, y: 5), PixelPoint(x: 6, y: 7)])
        #expect(try event.text() == "event: preview\ndata: Aw== 4,5 6,7\n\n")
        hub.show(SampleViews.pin)
        hub.show(jpeg: [4])
        #expect(Self.names(hub.news(after: &progress)) == ["pin"])
        var late = PageHub.Progress()
        #expect(Self.names(hub.news(after: &late)) == ["pin"])
        hub.show(SampleViews.scan)
        #expect(Self.names(hub.news(after: &late)) == ["scan"], "a picture from before the PIN is gone")
    }

    @Test func aWakingStandsForManyChanges() async {
        let hub = PageHub(languages: .standard, clock: clock)
        let (watcher, wakings) = hub.watch()
        for _ in 0..<1000 { hub.show(SampleViews.scan) }
        hub.end()
        var count = 0
        for await _ in wakings { count += 1 }
        #expect(count == 1)
        hub.leave(watcher)
    }

    @Test func whoComesLateSeesWhatIsLeftOfACountdown() {
        let hub = PageHub(languages: .standard, clock: clock)
        hub.show(SampleViews.pin)
        clock.advance(by: .seconds(12))
        var progress = PageHub.Progress()
        guard case .view(let view) = hub.news(after: &progress).first else {
            Issue.record("no view")
            return
        }
        #expect(view.countdown == 18)
    }

    @Test func picturesKeepTheirPace() {
        let pacer = PreviewPacer(clock: clock)
        var admitted = 0
        for _ in 0..<1000 {
            if pacer.admits() { admitted += 1 }
            clock.advance(by: .milliseconds(1))
        }
        #expect(admitted == 8)
    }

    @Test func aPictureIsASmallGreyJPEG() throws {
        let bytes = PreviewEncoder.jpeg(SampleViews.picture)
        #expect(bytes.count < 10_000)
        let picture = try Picture(decoding: bytes, from: "preview")
        #expect(picture.width == PreviewPicture.width && picture.height == PreviewPicture.height)
        for (decoded, original) in zip(picture.pixels, SampleViews.picture.luma) {
            if abs(Int(decoded) - Int(original)) > 6 {
                Issue.record("\(decoded) instead of \(original)")
                return
            }
        }
    }
}
