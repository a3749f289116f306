// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Signage
import Synchronization

/// Holds the one view and the one picture for all browsers. A slow browser gets only the newest.
final class PageHub: Sendable {
    /// The progress of one browser.
    struct Progress {
        fileprivate var view = 0
        fileprivate var picture = 0
    }

    fileprivate struct State {
        var view: KioskView?
        var viewNumber = 0
        var viewCame = Duration.zero
        var picture: (jpeg: [UInt8], outline: [PixelPoint])?
        var pictureNumber = 0
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextWatcher = 0
        var isOver = false
    }

    /// Whether any browser watches.
    let audience: AsyncStream<Bool>

    let languages: Languages
    private let domains: [String]
    private let audienceSink: AsyncStream<Bool>.Continuation
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())

    /// - Parameter domains: of e-mail addresses, for a keyboard.
    init<C: Clock<Duration>>(languages: Languages, domains: [String] = [], clock: C) {
        self.languages = languages
        self.domains = domains
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        (audience, audienceSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func show(_ view: KioskView) {
        let now = elapsed()
        state.withLock { state in
            state.view = view
            state.viewNumber += 1
            state.viewCame = now
            if !view.showsPreview { state.picture = nil }
            state.wakeAll()
        }
    }

    var isWatched: Bool { state.withLock { !$0.watchers.isEmpty && !$0.isOver } }

    var wantsPreview: Bool { state.withLock { !$0.watchers.isEmpty && $0.view?.showsPreview == true } }

    func show(jpeg: [UInt8], outline: [PixelPoint] = []) {
        state.withLock { state in
            // The view may have changed while the picture was made.
            guard state.view?.showsPreview == true else { return }
            state.picture = (jpeg, outline)
            state.pictureNumber += 1
            state.wakeAll()
        }
    }

    /// Wakes all watchers, also without news.
    func beat() { state.withLock { $0.wakeAll() } }

    /// Sends the last news and ends all streams.
    func end() {
        state.withLock { state in
            state.isOver = true
            for watcher in state.watchers.values { watcher.finish() }
        }
        audienceSink.finish()
    }

    /// Adds a browser: it is woken at once, at news and at every beat, until the hub ends.
    func watch() -> (watcher: Int, wakings: AsyncStream<Void>) {
        let (wakings, sink) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        sink.yield()
        let watcher = state.withLock { state in
            state.nextWatcher += 1
            state.watchers[state.nextWatcher] = sink
            if state.isOver { sink.finish() }
            if state.watchers.count == 1 { audienceSink.yield(true) }
            return state.nextWatcher
        }
        return (watcher, wakings)
    }

    func leave(_ watcher: Int) {
        state.withLock { state in
            state.watchers.removeValue(forKey: watcher)?.finish()
            if state.watchers.isEmpty { audienceSink.yield(false) }
        }
    }

    /// The events that a browser has not seen yet, or a keep-alive message if there are none.
    func news(after progress: inout Progress) -> [PageEvent] {
        let now = elapsed()
        return state.withLock { state in
            var events: [PageEvent] = []
            if let view = state.view, progress.view < state.viewNumber {
                let age = now - state.viewCame
                events.append(.view(PageView(view, in: languages, shownFor: age, domains: domains)))
            }
            if let picture = state.picture, progress.picture < state.pictureNumber {
                events.append(.picture(picture.jpeg, outline: picture.outline))
            }
            progress.view = state.viewNumber
            progress.picture = state.pictureNumber
            return events.isEmpty ? [.keepAlive] : events
        }
    }
}

extension PageHub.State {
    fileprivate func wakeAll() {
        for watcher in watchers.values { watcher.yield() }
    }
}
