// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostIntegration
import KioskMachine
import KioskRuntime
import LinuxSystem
import Logging
import Synchronization

/// Reports to the service manager: the kiosk serves, is alive, reads its settings, ends.
final class ServiceReport: KioskObserver {
    let interval: Duration?
    /// A feature that the kiosk can do without.
    enum Feature { case auditLog, speech }

    private let notifier: ServiceNotifier
    private let state = Mutex(State())

    private struct State {
        var condition: KioskCondition?
        /// A remark about the settings for the operator.
        var remark: String?
        /// Features that the kiosk does without, because of faults that the operator can repair.
        var lacks: [Feature: String] = [:]

        var text: String {
            ([condition ?? .ready].map { "\($0)" } + [remark, lacks[.auditLog], lacks[.speech]].compactMap(\.self))
                .joined(separator: "; ")
        }
    }

    /// - Returns: nil when no service manager wants reports. An invalid value is logged and ignored.
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

    func changed(_ condition: KioskCondition) {
        tell { state in
            let isFirst = state.condition == nil
            state.condition = condition
            return switch condition {
            case .stopping: [.stopping, .status(state.text)]
            case _ where isFirst: [.ready, .status(state.text)]
            default: [.status(state.text)]
            }
        }
    }

    /// Notes a request to read the settings, now or when the person has gone.
    func isAsked() {
        tell { state in
            state.condition == .serving
                ? [.status("\(KioskCondition.serving); the settings are read again afterwards")] : []
        }
    }

    func reads() { notifier.tell(.reloading, .status("reading the settings again")) }

    /// - Parameter remark: a remark for the operator; nil when all changes apply.
    func hasRead(_ remark: String?) {
        tell { state in
            state.remark = remark
            return [.ready, .status(state.text)]
        }
    }

    /// - Parameter lack: the feature that the kiosk does without from now on; nil when that is repaired.
    func lacks(_ lack: String?, for feature: Feature) {
        tell { state in
            state.lacks[feature] = lack
            // There is nothing to report before the first view.
            return state.condition == nil ? [] : [.status(state.text)]
        }
    }

    /// Changes the state and reports it under one lock, so that the last report is the newest.
    private func tell(_ change: (inout State) -> [ServiceNotifier.Word]) {
        notifier.tell { state.withLock { change(&$0) } }
    }
}

/// Lets updates wait while a person uses the kiosk.
struct InUseObserver: KioskObserver {
    private let lock = InUseLock()

    func changed(_ condition: KioskCondition) { lock.set(condition == .serving) }
}
