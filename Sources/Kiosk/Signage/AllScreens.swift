// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// Several screens that show the same views.
///
/// Each has a lane of its own: a slow one skips views, and none waits for another.
public final class AllScreens: KioskScreen {
    private struct Lane: Sendable {
        let screen: any KioskScreen
        let views: AsyncStream<KioskView>
        let sink: AsyncStream<KioskView>.Continuation

        init(_ screen: any KioskScreen) {
            self.screen = screen
            (views, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        }
    }

    private let lanes: [Lane]

    public init(_ screens: [any KioskScreen]) { lanes = screens.map(Lane.init) }

    /// The smallest in each direction among the screens that can show a document, because all show the same pages.
    public var documentRoom: DocumentPageSize? {
        let rooms = lanes.compactMap(\.screen.documentRoom)
        guard let columns = rooms.map(\.columns).min(), let rows = rooms.map(\.rows).min() else { return nil }
        return DocumentPageSize(columns: columns, rows: rows)
    }

    /// The person may look at any of them.
    public func leavesFactsOut(of view: KioskView) -> Bool { lanes.contains { $0.screen.leavesFactsOut(of: view) } }

    /// The person may photograph any of them.
    public func hasRoom(for entry: ViewEntry) -> Bool { lanes.contains { $0.screen.hasRoom(for: entry) } }

    public func show(_ view: KioskView) async {
        for lane in lanes { lane.sink.yield(view) }
    }

    /// Ends the stream of views: ``run()`` shows the last one and returns.
    public func end() {
        for lane in lanes { lane.sink.finish() }
    }

    /// Carries views to their screens, until ``end()`` or until the task is cancelled. Call it once.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            for lane in lanes {
                group.addTask {
                    for await view in lane.views { await lane.screen.show(view) }
                }
            }
        }
    }
}
