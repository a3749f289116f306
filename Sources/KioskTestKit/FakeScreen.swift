// SPDX-License-Identifier: Apache-2.0

public import KioskCore
import Synchronization

/// A screen that keeps what it was shown.
public final class FakeScreen: KioskScreen {
    private struct Waiter {
        let isWanted: @Sendable (KioskView) -> Bool
        let continuation: CheckedContinuation<KioskView, Never>
    }

    private struct State {
        var views: [KioskView] = []
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())

    public init() {}

    /// Every view shown so far.
    public var views: [KioskView] { state.withLock { $0.views } }

    public func show(_ view: KioskView) async {
        let due = state.withLock { state in
            state.views.append(view)
            let due = state.waiters.filter { $0.isWanted(view) }
            state.waiters.removeAll { $0.isWanted(view) }
            return due
        }
        for waiter in due { waiter.continuation.resume(returning: view) }
    }

    /// The view shown now, as soon as it is a wanted one.
    @discardableResult
    public func view(where isWanted: @escaping @Sendable (KioskView) -> Bool) async -> KioskView {
        await withCheckedContinuation { continuation in
            let present = state.withLock { state -> KioskView? in
                if let last = state.views.last, isWanted(last) { return last }
                state.waiters.append(Waiter(isWanted: isWanted, continuation: continuation))
                return nil
            }
            if let present { continuation.resume(returning: present) }
        }
    }

    @discardableResult
    public func view(at stage: KioskStage) async -> KioskView { await view { $0.stage == stage } }
}
