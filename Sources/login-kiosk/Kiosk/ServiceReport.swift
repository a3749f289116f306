// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostIntegration
import KioskMachine
import KioskRuntime
import LinuxSystem
import Logging
import Synchronization

/// Tells the service manager how the kiosk is: that it serves, that it lives, that it reads its settings, that it ends.
final class ServiceReport: KioskWatch {
    let interval: Duration?
    private let notifier: ServiceNotifier
    private let state = Mutex(State())

    private struct State {
        var standing: KioskStanding?
        /// What the operator has to know of the settings.
        var remark: String?
        /// What the kiosk does without, for a fault that the operator can mend.
        var lack: String?

        var text: String {
            ([standing ?? .ready].map { "\($0)" } + [remark, lack].compactMap(\.self)).joined(separator: "; ")
        }
    }

    /// - Returns: nil when no service manager wants to hear. A value that cannot be is told in the log, and is as none.
    init?(logger: Logger, environment: [String: String] = ProcessInfo.processInfo.environment) {
        let complain: @Sendable (ServiceNotifier.Problem) -> Void = { problem in
            logger.error("the service manager does not hear of the kiosk", metadata: ["reason": "\(problem)"])
        }
        do throws(ServiceNotifier.Problem) {
            guard let notifier = try ServiceNotifier(environment: environment, complain: complain) else { return nil }
            self.notifier = notifier
        } catch {
            complain(error)
            return nil
        }
        do throws(ServiceNotifier.Problem) {
            interval = try ServiceNotifier.watchdogInterval(in: environment)
        } catch {
            logger.error("the watchdog is not fed", metadata: ["reason": "\(error)"])
            interval = nil
        }
    }

    func turned() { notifier.tell(.alive) }

    func stands(_ standing: KioskStanding) {
        let (isFirst, text) = state.withLock { state in
            let isFirst = state.standing == nil
            state.standing = standing
            return (isFirst, state.text)
        }
        switch standing {
        case .stopping: notifier.tell(.stopping, .status(text))
        case _ where isFirst: notifier.tell(.ready, .status(text))
        default: notifier.tell(.status(text))
        }
    }

    /// The settings are to be read again, now or when the person has gone.
    func isAsked() {
        guard state.withLock({ $0.standing == .serving }) else { return }
        notifier.tell(.status("\(KioskStanding.serving); the settings are read again afterwards"))
    }

    func reads() { notifier.tell(.reloading, .status("reading the settings again")) }

    /// - Parameter remark: what the operator has to know; nil when all that was changed counts.
    func hasRead(_ remark: String?) {
        let text = state.withLock { state in
            state.remark = remark
            return state.text
        }
        notifier.tell(.ready, .status(text))
    }

    /// - Parameter lack: what the kiosk does without from now on; nil when that is mended.
    func lacks(_ lack: String?) {
        let text: String? = state.withLock { state in
            state.lack = lack
            // Before the first view there is nothing to say yet.
            return state.standing.map { _ in state.text }
        }
        if let text { notifier.tell(.status(text)) }
    }
}

/// Lets updates wait while a person uses the kiosk.
struct InUseWatch: KioskWatch {
    private let lock = InUseLock()

    var interval: Duration? { nil }

    func turned() {}

    func stands(_ standing: KioskStanding) { lock.set(standing == .serving) }
}
