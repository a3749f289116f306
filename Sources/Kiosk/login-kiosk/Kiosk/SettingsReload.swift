// SPDX-License-Identifier: Apache-2.0

import CurlTransport
import HostIntegration
import KioskPorts
import KioskRuntime
import LinuxSystem
import Logging
import LoginValues
import MPinClient
import Synchronization

/// Reads settings, trust list and certificates again while a kiosk runs, when its service manager sends `SIGHUP`.
/// Faults are reported, and then nothing changes.
final class SettingsReload: Sendable {
    private let options: KioskOptions
    private let said: [String: String]
    private let parts: KioskParts
    /// Nil without a service manager.
    private let report: ServiceReport?
    /// The current configuration.
    private let present: Mutex<KioskConfiguration>

    /// - Parameter said: settings by name from the command's options.
    init(
        _ options: KioskOptions, said: [String: String], _ configuration: KioskConfiguration, _ parts: KioskParts,
        report: ServiceReport?
    ) {
        self.options = options
        self.said = said
        self.parts = parts
        self.report = report
        present = Mutex(configuration)
    }

    private struct Refusal: Error { let reasons: [String] }

    /// Reads the settings as soon as nobody is served.
    func perform(on kiosk: Kiosk) async {
        report?.isAsked()
        await kiosk.adopt { self.read() }
    }

    private func read() -> KioskSettings? {
        report?.reads()
        do throws(Refusal) { return try settings().settings } catch {
            for reason in error.reasons {
                parts.logger.error("the settings stay as they were", metadata: ["reason": "\(reason)"])
            }
            report?.hasRead("the settings stay as they were: \(error.reasons[0])")
            return nil
        }
    }

    /// Applies the settings of a profile. Those that a running kiosk cannot change apply from its next start. So do
    /// invalid ones, and that start reports them.
    func applied() -> AppliedProfile {
        guard let read = try? settings(), read.deferred.isEmpty else { return .restart }
        return .settings(read.settings)
    }

    private func settings() throws(Refusal) -> (settings: KioskSettings, deferred: [String]) {
        let newer = options.load(said)
        let problems = newer.allProblems.map {
            // A problem without a setting has its file in its message.
            $0.origin == .standard ? $0.message : $0.description
        }
        guard problems.isEmpty else { throw Refusal(reasons: problems) }
        let (configuration, deferred) = present.withLock { $0.reread(newer) }
        guard let directory = options.places.configuration.directory,
            let places = configuration.directories(directory)
        else { throw Refusal(reasons: ["there is no directory of settings any more"]) }
        let trust: TrustPolicy
        do throws(TrustFileError) { trust = try TrustPolicy(places, configuration) } catch {
            throw Refusal(reasons: ["\(error); \(error.hint)"])
        }
        let transport: CurlHTTPTransport
        do {
            transport = try CurlHTTPTransport(configuration.transport)
        } catch { throw Refusal(reasons: ["\(error)"]) }
        let settings = KioskSettings(trust: trust, tasks: configuration.tasks, policy: configuration.policy) {
            self.parts.transport.renew(transport, trust: trust)
            await self.parts.sdk.replaceTrust(trust)
            self.present.withLock { $0 = configuration }
            self.tell(deferred)
        }
        return (settings, deferred)
    }

    private func tell(_ deferred: [String]) {
        parts.logger.notice("settings, trust list and certificates were read again")
        guard !deferred.isEmpty else { return report?.hasRead(nil) ?? () }
        let names = deferred.joined(separator: ", ")
        parts.logger.warning("takes effect at the next start", metadata: ["settings": "\(names)"])
        report?.hasRead("at the next start: \(names)")
    }
}
