// SPDX-License-Identifier: Apache-2.0

public import KioskMachine
public import LoginValues

/// The settings that the operator may change while the kiosk runs.
public struct KioskSettings: Sendable {
    public var trust: TrustPolicy
    public var tasks: [KioskTask]
    public var policy: KioskPolicy
    /// Passes the settings on to the SDK and other parts. Called before the next step of any session.
    public var spread: @Sendable () async -> Void

    public init(
        trust: TrustPolicy, tasks: [KioskTask], policy: KioskPolicy, spread: @escaping @Sendable () async -> Void
    ) {
        self.trust = trust
        self.tasks = tasks
        self.policy = policy
        self.spread = spread
    }
}

extension Kiosk {
    /// Adopts new settings as soon as nobody is served. If several calls wait, only the newest has an effect.
    ///
    /// - Parameter read: reads the settings at that time; nil keeps the current ones.
    public func adopt(_ read: @escaping @Sendable () async -> KioskSettings?) {
        adoption = read
        adoptWhenIdle()
    }

    /// Queued with the steps, so that a step of a session that begins during the wait comes after it.
    func adoptWhenIdle() {
        guard let read = adoption, machine.isIdle else { return }
        adoption = nil
        enqueue(.adopt(read))
    }

    func perform(adoption read: @Sendable () async -> KioskSettings?) async {
        guard let settings = await read() else { return }
        guard machine.isIdle else {
            // A session began while the files were read. A newer call still wins.
            if adoption == nil { adoption = { settings } }
            return
        }
        trust = settings.trust
        services = TypedService.all(of: trust)
        carryOut(
            machine.adopt(
                trustsAnything: !trust.entries.isEmpty, services: services.map(\.name), tasks: settings.tasks,
                policy: settings.policy))
        await settings.spread()
    }
}
