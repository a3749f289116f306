// SPDX-License-Identifier: Apache-2.0

/// Hears that a call of the SDK waits because a server asked it to.
///
/// A class and not a closure: with a closure as its value the task local below ends an optimised program by a bad
/// access (Swift 6.3).
public final class BusyServer: Sendable {
    /// Valid for the calls within `$observer.withValue`; nil hears nothing.
    @TaskLocal public static var observer: BusyServer?

    private let waits: @Sendable (Duration?) -> Void

    /// - Parameter waits: called with the time that is waited, and with nil when the wait is over.
    public init(_ waits: @escaping @Sendable (Duration?) -> Void) { self.waits = waits }

    func waits(for time: Duration?) { waits(time) }
}
