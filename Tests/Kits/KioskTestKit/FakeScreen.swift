// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import LoginValues
import Synchronization

/// A screen that records its views.
public final class FakeScreen: KioskScreen {
    private struct Waiter {
        let isWanted: @Sendable (KioskView) -> Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var views: [KioskView] = []
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
    }

    public let documentRoom: DocumentPageSize?
    private let cardRoom: Int
    private let state = Mutex(State())

    /// - Parameter cardRoom: number of characters of the largest personal card that fits.
    public init(documentRoom: DocumentPageSize? = .standard, cardRoom: Int = .max) {
        self.documentRoom = documentRoom
        self.cardRoom = cardRoom
    }

    public func hasRoom(for entry: ViewEntry) -> Bool {
        if case .card(let text) = entry { text.count <= cardRoom } else { false }
    }

    /// Every view shown so far.
    public var views: [KioskView] { state.withLock { $0.views } }

    public func show(_ view: KioskView) async {
        let due = state.withLock { state in
            state.views.append(view)
            let due = state.waiters.filter { $0.value.isWanted(view) }
            for id in due.keys { state.waiters[id] = nil }
            return due.values
        }
        for waiter in due { waiter.continuation.resume() }
    }

    /// Waits until a wanted view is shown.
    ///
    /// - Throws: `CancellationError` when the test was cancelled.
    public func view(where isWanted: @escaping @Sendable (KioskView) -> Bool) async throws {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if let last = state.views.last, isWanted(last) { return .success(()) }
                    state.waiters[id] = Waiter(isWanted: isWanted, continuation: continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    public func view(at stage: KioskStage) async throws { try await view { $0.stage == stage } }
}
