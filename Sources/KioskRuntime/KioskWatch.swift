// SPDX-License-Identifier: Apache-2.0

public import KioskMachine

/// What watches the kiosk from outside, such as a service manager. It must not wait: the kiosk's own loop calls it.
public protocol KioskWatch: Sendable {
    /// How often ``turned()`` is wanted; nil: never.
    var interval: Duration? { get }

    /// The loop that fires the machine's timers came round. Not called while the machine hangs.
    func turned()

    /// How the kiosk is: when the first view has gone to the screen, and after each change.
    func stands(_ standing: KioskStanding)
}
