// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LinuxSystem
import Subprocess
import SystemPackage

/// `espeak-ng`, started for each utterance.
///
/// Text goes to its standard input and is never an argument or markup. It starts in `/` and in an environment that has
/// only the way to a sound server of the same user.
struct SpeechProgram: Sendable {
    /// Longer than the longest text takes.
    static let limit = Duration.seconds(600)
    /// The greatest length of its complaints, in bytes.
    private static let complaintLimit = 64 * 1024
    /// Words a minute. Its own 175 are too fast for a host name.
    private static let pace = 150

    /// The path of the program; nil when it is not installed.
    let find: @Sendable () -> String?
    /// The device that plays, by its name in ALSA; nil for the usual one.
    let device: String?
    let runtimeDirectory: String?
    let time: Timekeeper

    /// Speaks to the end, or until the task is cancelled.
    ///
    /// - Returns: the reason why nothing was heard; nil when something was heard, or after a cancellation.
    func speak(_ utterance: Utterance) async -> SpeechFault? {
        guard let program = find() else { return SpeechFault("espeak-ng is not installed") }
        do throws(FileFault) { try OwnedFile.check(program) } catch {
            return SpeechFault("\(program) cannot be started: \(error.advice)")
        }
        let fault = await time.limit(SpeechProgram.limit) {
            let fault = await run(program, utterance)
            return Task.isCancelled
                ? SpeechFault("\(program) did not end within \(SpeechProgram.limit.text) and was ended") : fault
        }
        return Task.isCancelled ? nil : fault
    }

    func arguments(for utterance: Utterance) -> [String] {
        // Its volumes are 0 to 200.
        ["-v", utterance.language, "-a", "\(utterance.volume * 40 - 20)", "-s", "\(Self.pace)", "-b", "1", "--stdin"]
            + (device.map { ["-d", $0] } ?? [])
    }

    private func run(_ program: String, _ utterance: Utterance) async -> SpeechFault? {
        var options = PlatformOptions()
        // Ctrl-C is meant for the kiosk.
        options.processGroupID = 0
        var environment: [Environment.Key: String] = [:]
        environment["XDG_RUNTIME_DIR"] = runtimeDirectory
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .milliseconds(200))]
        do {
            let result = try await Subprocess.run(
                .path(FilePath(program)), arguments: Arguments(arguments(for: utterance)),
                environment: .custom(environment), workingDirectory: "/",
                platformOptions: options, input: .string(utterance.text), output: .discarded,
                error: .string(limit: SpeechProgram.complaintLimit))
            // Without a sound card it complains, and its exit code is 0.
            let complaint = result.standardError.split(separator: "\n").last { $0.hasPrefix("error") }
            if let complaint { return SpeechFault("\(program): \(complaint)") }
            return result.terminationStatus == .exited(0)
                ? nil : SpeechFault("\(program) failed: \(result.terminationStatus)")
        } catch {
            return SpeechFault("\(program) failed: \(error)")
        }
    }
}

/// The reason why nothing is heard, for the operator.
public struct SpeechFault: Sendable, Equatable, CustomStringConvertible {
    public let description: String

    init(_ text: String) { description = text }
}
