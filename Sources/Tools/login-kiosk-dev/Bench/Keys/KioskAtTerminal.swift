// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import LinuxSystem

/// `login-kiosk run` at a pseudo-terminal, on its idle screen, where 2 changes the language.
final class KioskAtTerminal {
    /// The time between presses: a steady hand, not a burst.
    private static let pause: UInt32 = 60_000
    private static let patience: Int32 = 5000

    private let terminal: PseudoTerminal
    private let process: Process
    private let directory: TemporaryDirectory

    init() async throws {
        guard let terminal = PseudoTerminal() else { throw BenchmarkError.program("the system has no terminal left") }
        directory = try TemporaryDirectory()
        let configuration = directory.path("configuration")
        let device = FileHandle(fileDescriptor: terminal.device)
        do {
            let trust = try BenchmarkedProgram.start(
                .kiosk, ["trust", "add", "login.example", "--config", configuration])
            trust.waitUntilExit()
            // A missing camera, so that only keys change the screen.
            process = try BenchmarkedProgram.start(
                .kiosk,
                [
                    "run", "--state", directory.path("state"), "--config", configuration, "--language", "en",
                    "--source", "camera:none of this name",
                ], input: device, output: device)
        } catch {
            directory.remove()
            throw error
        }
        self.terminal = terminal
        let deadline = ContinuousClock.now + .seconds(20)
        while terminal.isCooked, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(20)) }
        // The kiosk reports the missing camera once.
        try await Task.sleep(for: .seconds(3))
        _ = terminal.readAll()
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        directory.remove()
    }

    /// Nanoseconds from a key to the first change of the screen.
    func keyToScreen() throws -> Double {
        usleep(Self.pause)
        while !terminal.read(within: 0).isEmpty {}
        let start = WallClock.now()
        terminal.type("2")
        guard !terminal.read(within: Self.patience).isEmpty else {
            throw BenchmarkError.program("login-kiosk run does not answer its keys")
        }
        return WallClock.now() - start
    }
}
