// SPDX-License-Identifier: Apache-2.0

/// Where a person looks.
public protocol KioskScreen: Sendable {
    /// The largest page of a document that has room there now; nil when a document cannot be read there.
    var documentRoom: DocumentPageSize? { get }

    /// Whether there is no room now for what OK agrees to in this view (``KioskView/factCount``).
    func leavesFactsOut(of view: KioskView) -> Bool

    /// Shows `view` instead of what was shown before. Views that a slower screen could not show in time are skipped by
    /// the caller: each one is complete in itself.
    func show(_ view: KioskView) async
}

extension KioskScreen {
    public func leavesFactsOut(of view: KioskView) -> Bool { false }
}
