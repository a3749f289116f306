// SPDX-License-Identifier: Apache-2.0

import Capture
import Encoding
import Glibc
import HostIntegration
import LinuxSystem
import Logging

/// A kiosk as its doctor examines it.
struct Doctor: Sendable {
    let configuration: KioskConfiguration
    /// nil without the directory of the settings.
    let places: KioskDirectories?
    /// Whether to ask every trusted host for an answer.
    let isOnline: Bool
    let logger: Logger
    private let tree = SystemTree()

    /// The checks, in the order of their lines. One that does not apply to this machine has no result. Results are
    /// pure functions of `HostIntegration`, which its tests call with made-up machines.
    static let checks: [(name: String, look: @Sendable (Doctor) async throws -> [CheckResult?])] = [
        ("settings", { [$0.settings()] }),
        ("scanner", { _ in [try await ScannerProbe.check()] }),
        ("camera", { [try await CameraProbe(source: $0.configuration.sourceText, logger: $0.logger).check()] }),
        ("keypad", { await KeypadProbe.check($0.configuration) }),
        ("display", { [DisplayCheck.look($0.configuration)] }),
        ("store", { [await $0.store()] }),
        ("trust", { [try await $0.trust()] }),
        ("clock", { _ in [ClockCheck.result(.ofThisMachine())] }),
        ("memory", { _ in [MemoryCheck.result(lockFailure: SecretMemory.lockFailure)] }),
        ("board", { [BoardCheck.result($0.tree, pageSize: sysconf(Int32(_SC_PAGESIZE)))] }),
        ("power", { [PowerCheck.result($0.tree)] }),
        ("heat", { [HeatCheck.result($0.tree)] }),
        ("space", { [$0.configuration[\.storeDirectory].flatMap { SpaceCheck.result($0) }] }),
        ("wear", { [WearCheck.result($0.tree)] }),
        ("limits", { [LimitCheck.result($0.tree)] }),
        ("sensor", { [$0.sensor()] }),
        ("speech", { [$0.speech()] }),
    ]

    private func settings() -> CheckResult {
        let problems = configuration.allProblems
        guard let first = problems.first else {
            let files = configuration.files
            return .ok(files.isEmpty ? "no files; the kiosk's own choices" : files.joined(separator: ", "))
        }
        return .failure(
            "\(first)" + (problems.count > 1 ? ", and \(problems.count - 1) more" : ""),
            remedy: "login-kiosk config check")
    }

    private func store() async -> CheckResult? {
        guard let places else { return nil }
        return await StoreProbe.check(places)
    }

    private func trust() async throws -> CheckResult? {
        guard let places else { return nil }
        return try await TrustProbe(configuration: configuration, file: TrustFile(path: places.trustFile))
            .check(isOnline)
    }

    private func sensor() -> CheckResult? {
        let isSensor =
            if case .sensor? = try? SourceSpecification(configuration.sourceText) { true } else { false }
        return SensorCheck.result(tree, isNeeded: isSensor, program: FilmedSensor.executable)
    }

    private func speech() -> CheckResult? {
        SpeechCheck.result(
            tree, isWanted: configuration[\.screen.speech] != nil, program: InstalledProgram.path(SpeechCheck.program))
    }
}
