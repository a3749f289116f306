// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import ScreenTestKit
import Testing
@testable import Signage

@Suite("Several screens at once", .timeLimit(.minutes(10)))
struct AllScreensTests {
    /// A screen that waits for permission before it shows a view.
    private final class HeldScreen: KioskScreen {
        let documentRoom: DocumentPageSize? = nil
        let shown: AsyncStream<KioskStage>
        private let shownSink: AsyncStream<KioskStage>.Continuation
        private let permits: AsyncStream<Void>
        private let permitSink: AsyncStream<Void>.Continuation

        init() {
            (shown, shownSink) = AsyncStream.makeStream()
            (permits, permitSink) = AsyncStream.makeStream()
        }

        func letThrough() { permitSink.yield() }

        func show(_ view: KioskView) async {
            var iterator = permits.makeAsyncIterator()
            await iterator.next()
            shownSink.yield(view.stage)
        }
    }

    @Test func aSlowScreenSkipsViewsAndKeepsNobodyWaiting() async {
        let (slow, quick) = (HeldScreen(), HeldScreen())
        let screens = AllScreens([slow, quick])
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await screens.run() }
            var seen = quick.shown.makeAsyncIterator()
            for name in ["scan", "connecting", "consent", "PIN"] {
                await screens.show(SampleViews.view(name))
                quick.letThrough()
                #expect(await seen.next() == SampleViews.view(name).stage)
            }
            screens.end()
            for _ in 0..<2 { slow.letThrough() }
            var late = slow.shown.makeAsyncIterator()
            // The one it had begun, if any, and then the newest.
            if await late.next() != .pin { #expect(await late.next() == .pin) }
        }
    }
}
