// SPDX-License-Identifier: Apache-2.0

import Capture
import CommandLineInterface
import HostIntegration
import KioskPorts
import LinuxSystem
import Logging
import ScannerLink

/// Runs a scanner on the configured source until it has seen a picture.
struct CameraProbe {
    /// A camera takes a second or two to start. The scanner tries its next format after five seconds without a frame
    /// that can be decoded, and its next size, or the next camera, after ten without a frame.
    private static let patience = Duration.seconds(25)

    let source: String
    let logger: Logger

    func check() async throws -> CheckResult {
        guard (try? CompanionProgram.scanner.path()) != nil else {
            return .failure("not looked at: there is no scanner that can be used", remedy: "see above")
        }
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let feed = try ScannerFeed(source: source, in: directory, logger: logger)
        return await Timekeeper(ContinuousClock()).limit(CameraProbe.patience) {
            async let _: Void = feed.run()
            return await listen(feed.scanner.reports())
        }
    }

    /// Listens until there is a picture, a trouble that stays, or the task is cancelled.
    private func listen(_ reports: AsyncStream<SymbolSourceReport>) async -> CheckResult {
        let isCamera = if case .camera? = try? SourceSpecification(source) { true } else { false }
        var passedOver: [String] = []
        var trouble: ScannerTrouble?
        for await report in reports {
            switch report {
            case .passedOver(let reasons): passedOver = reasons
            case .statistics(let statistics) where statistics.frames > 0:
                let others = passedOver.isEmpty ? "" : "; passed over: \(passedOver.joined(separator: "; "))"
                return .ok("\(source) delivers pictures\(others)")
            case .unavailable(let new):
                // The fault may pass when the camera tries its next format or size.
                guard new.kind == .undecodable || isCamera && new.kind == .silent else { return result(new) }
                trouble = new
            default: continue
            }
        }
        guard Task.isCancelled else { return .ok("\(source) was read to its end") }
        return trouble.map(result)
            ?? .failure("\(source) delivers no picture", remedy: "unplug the camera and plug it in again")
    }

    private func result(_ trouble: ScannerTrouble) -> CheckResult {
        // Only root can see that a sandboxed process has a camera open. A running scanner is the likeliest holder.
        if trouble.kind == .inUse, ScannerCheck.isRunningElsewhere {
            return .ok("\(source) is in use, and a kiosk is running")
        }
        return .failure(trouble.reason, remedy: "see which cameras are there and by which names: login-kiosk devices")
    }
}
