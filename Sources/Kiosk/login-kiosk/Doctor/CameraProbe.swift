// SPDX-License-Identifier: Apache-2.0

import Capture
import CommandLineInterface
import Foundation
import HostIntegration
import KioskPorts
import LinuxSystem
import Logging
import ScannerLink
import Synchronization

/// Runs a scanner on the configured source until it has seen a picture.
struct CameraProbe {
    /// A camera takes a second or two to start. The scanner tries its next format after five seconds without a frame that
    /// can be decoded, and its next size, or the next camera, after ten without a frame.
    private static let patience = Duration.seconds(25)
    private static let name = "camera"

    let source: String
    let logger: Logger

    func check() async throws -> CheckResult {
        guard (try? CompanionProgram.scanner.path()) != nil else {
            return .failure(
                CameraProbe.name, "not looked at: there is no scanner that can be used", remedy: "see above")
        }
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let feed = try ScannerFeed(source: source, in: directory, logger: logger)
        let waited = Waited()
        return await withTaskGroup(of: CheckResult?.self) { group in
            group.addTask {
                await feed.run()
                return nil
            }
            group.addTask {
                await listen(feed.scanner.reports()) { trouble in waited.trouble.withLock { $0 = trouble } }
            }
            group.addTask {
                guard (try? await Task.sleep(for: CameraProbe.patience)) != nil else { return nil }
                if let trouble = waited.trouble.withLock(\.self) { return judge(trouble) }
                return .failure(
                    CameraProbe.name, "\(source) delivers no picture", remedy: "unplug the camera and plug it in again")
            }
            defer { group.cancelAll() }
            for await result in group {
                if let result { return result }
            }
            return .failure(CameraProbe.name, "\(source) was not looked at", remedy: "run the doctor again")
        }
    }

    /// A trouble that may pass when the camera tries its next format.
    private final class Waited: Sendable {
        let trouble = Mutex<ScannerTrouble?>(nil)
    }

    /// - Parameter note: called with troubles that may pass when the camera tries its next format or size.
    private func listen(
        _ reports: AsyncStream<SymbolSourceReport>, noting note: @Sendable (ScannerTrouble) -> Void
    ) async -> CheckResult? {
        let isCamera = if case .camera? = try? SourceSpecification(source) { true } else { false }
        var passedOver: [String] = []
        for await report in reports {
            switch report {
            case .passedOver(let reasons): passedOver = reasons
            case .statistics(let statistics) where statistics.frames > 0:
                let others = passedOver.isEmpty ? "" : "; passed over: \(passedOver.joined(separator: "; "))"
                return .ok(CameraProbe.name, "\(source) delivers pictures\(others)")
            case .unavailable(let trouble) where trouble.kind == .undecodable || isCamera && trouble.kind == .silent:
                note(trouble)
            case .unavailable(let trouble): return judge(trouble)
            default: continue
            }
        }
        return Task.isCancelled ? nil : .ok(CameraProbe.name, "\(source) was read to its end")
    }

    private func judge(_ trouble: ScannerTrouble) -> CheckResult {
        // Only root can see that a sandboxed process has a camera open. A running scanner is the likeliest holder.
        if trouble.kind == .inUse, ScannerCheck.runs(besideThatOf: ProcessInfo.processInfo.processIdentifier) {
            return .ok(CameraProbe.name, "\(source) is in use, and a kiosk is running")
        }
        return .failure(
            CameraProbe.name, trouble.reason,
            remedy: "see which cameras are there and by which names: login-kiosk devices")
    }
}
