// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import LinuxSystem

extension AsyncParsableCommand {
    /// Runs the command that the process's arguments ask for, and ends the process when it fails. On the main thread,
    /// before there is another: what is set here holds for all of them.
    @MainActor
    public static func start() async {
        ProgramStart.prepare()
        StopSignals.hold()
        // Any command may hold a PIN, a token or a key. A kernel that refuses has refused before secrets came.
        _ = ProcessMemory.keepPrivate()
        do {
            var command = try parseAsRoot()
            if !(command is any LastingCommand) { StopSignals.release() }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(withError: error)
        }
    }
}
