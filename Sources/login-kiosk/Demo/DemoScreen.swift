// SPDX-License-Identifier: Apache-2.0

import KioskCore
import Signage
import Synchronization

/// The kiosk's screen when nobody looks at it but the script that presses the keys.
final class DemoScreen: KioskScreen {
    let documentRoom: DocumentPageSize? = .standard
    private let views: AsyncStream<KioskView>
    private let sink: AsyncStream<KioskView>.Continuation
    private let record: DemoRecord
    private let told = Mutex<Prompt?>(nil)

    init(_ record: DemoRecord) {
        self.record = record
        (views, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    }

    func show(_ view: KioskView) async { sink.yield(view) }

    /// Reads on until the kiosk shows a view at `stage`; what was read once is not read again. For one reader.
    ///
    /// - Throws: ``DemoFailure`` when the session ended instead, and `CancellationError`.
    @discardableResult
    func wait(for stage: KioskStage, _ isWanted: (KioskView) -> Bool = { _ in true }) async throws -> KioskView {
        for await view in views {
            // Once for all keys that are typed at it.
            if told.withLock({ told in
                defer { told = view.title }
                return told != view.title
            }) {
                record.say("kiosk", DemoScreen.sentence(of: view))
            }
            if view.stage == stage, isWanted(view) { return view }
            if view.stage == .outcome { throw DemoFailure("the kiosk says: \(DemoScreen.sentence(of: view))") }
        }
        throw CancellationError()
    }

    private static func sentence(of view: KioskView) -> String {
        let catalogue = PromptCatalogue.english
        let prompts = [[view.title], Array(view.lines.prefix(2)), view.hint.map { [$0] } ?? []]
        return prompts.joined().map { catalogue.text($0) }.joined(separator: " - ")
    }
}
