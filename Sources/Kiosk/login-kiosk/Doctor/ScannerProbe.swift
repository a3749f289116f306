// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import HostIntegration
import LinuxSystem
import Logging
import ScannerLink

/// Starts a scanner that waits for pictures, and examines it from outside.
enum ScannerProbe {
    private static let patience = Duration.seconds(5)

    static func check() async throws -> CheckResult {
        let found: String?
        do throws(FileFault) { found = try CompanionProgram.scanner.path() } catch {
            return .failure("\(error)", remedy: error.hint)
        }
        guard let executable = found else {
            return ScannerCheck.result(executable: nil, status: nil, confinesFiles: false)
        }
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let pipe = try directory.makePipe("pictures.y4m")
        // The check reports failures.
        let silent = Logger(label: "scanner") { _ in SwiftLogNoOpLogHandler() }
        let scanner = ScannerProcess(executable: executable, source: "y4m:\(pipe)", logger: silent)
        return await Timekeeper(ContinuousClock()).limit(patience) {
            async let _: Void = scanner.run()
            var result = ScannerCheck.result(executable: executable, status: nil, confinesFiles: false)
            // Waits until it has reported its confinement.
            while result.status == .failure, (try? await Task.sleep(for: .milliseconds(50))) != nil {
                guard let confinesFiles = scanner.confinesFiles else { continue }
                result = ScannerCheck.result(
                    executable: executable, status: ScannerCheck.ownStatus, confinesFiles: confinesFiles)
            }
            return result
        }
    }
}
