// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import HostIntegration
import LinuxSystem
import Logging
import ScannerLink

/// Starts a scanner that waits for pictures, and examines it from outside.
enum ScannerProbe {
    private static let patience = Duration.seconds(5)

    static func check() async throws -> CheckResult {
        let found: String?
        do throws(FileFault) { found = try CompanionProgram.scanner.path() } catch { return ScannerCheck.judge(error) }
        guard let executable = found else {
            return ScannerCheck.judge(executable: nil, status: nil, confinesFiles: false)
        }
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let pipe = try directory.makePipe("pictures.y4m")
        // The check reports failures.
        let silent = Logger(label: "scanner") { _ in SwiftLogNoOpLogHandler() }
        let scanner = ScannerProcess(executable: executable, source: "y4m:\(pipe)", logger: silent)
        return await withTaskGroup(of: CheckResult?.self) { group in
            group.addTask {
                await scanner.run()
                return nil
            }
            group.addTask { await watch(scanner) }
            defer { group.cancelAll() }
            for await result in group {
                if let result { return result }
            }
            return ScannerCheck.judge(executable: executable, status: nil, confinesFiles: false)
        }
    }

    /// Watches the process until it reports its confinement, or until patience ends.
    private static func watch(_ scanner: ScannerProcess) async -> CheckResult {
        let deadline = ContinuousClock.now + patience
        var result: CheckResult
        repeat {
            try? await Task.sleep(for: .milliseconds(50))
            let confinesFiles = scanner.confinesFiles
            let status =
                confinesFiles == nil
                ? nil : ScannerCheck.status(ofChildOf: ProcessInfo.processInfo.processIdentifier)
            result = ScannerCheck.judge(
                executable: scanner.executable, status: status, confinesFiles: confinesFiles ?? false)
        } while result.verdict == .failure && ContinuousClock.now < deadline
        return result
    }
}
