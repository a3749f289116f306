// SPDX-License-Identifier: Apache-2.0

/// Tells whoever calls the SDK that a call waits because a server asked it to.
public enum BusyServer {
    /// Called with the time that is waited, and with nil when the wait is over. Valid for the calls within
    /// `$observer.withValue`; nil tells nobody.
    @TaskLocal public static var observer: (@Sendable (Duration?) -> Void)?
}
