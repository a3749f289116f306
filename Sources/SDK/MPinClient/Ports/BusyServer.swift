// SPDX-License-Identifier: Apache-2.0

/// An observer that is notified when a call of the SDK waits because a server asked it to.
///
/// A class and not a closure: with a closure as its value the task local below crashes an optimised program (Swift
/// 6.3).
public final class BusyServer: Sendable {
    /// The observer of the calls within `$observer.withValue`.
    @TaskLocal public static var observer: BusyServer?

    private let waits: @Sendable (Duration?) -> Void

    /// - Parameter waits: called with the duration of a wait, and with nil when it is over.
    public init(_ waits: @escaping @Sendable (Duration?) -> Void) { self.waits = waits }

    func waits(for time: Duration?) { waits(time) }
}
