// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import LinuxSystem
import Subprocess
import SystemPackage

/// A program of this project that the demonstration starts.
struct DemoProgram: Sendable {
    /// A program that is told to stop ends orderly in far less; one that hears nothing is killed then.
    private static let teardown = [TeardownStep.gracefulShutDown(allowedDurationToNextStep: .seconds(10))]

    private let path: String
    private let logLevel: [String]

    /// - Parameter logLevel: of what it logs.
    /// - Throws: a complaint when it is not installed.
    init(_ program: CompanionProgram, logLevel: String? = nil) throws {
        path = try program.installedPath()
        self.logLevel = logLevel.map { ["--log-level", $0] } ?? []
    }

    /// Runs it until it ends, or ends it when the task is cancelled. Ctrl-C is meant for the demonstration, which then
    /// ends it in its own time.
    ///
    /// - Parameters:
    ///   - terminal: where its keys come from; nil for none.
    ///   - heard: takes its standard output, line by line.
    ///   - complained: takes its standard error, line by line.
    /// - Returns: its exit code, or 128 and the number of the signal that ended it.
    func run(
        _ arguments: [String], terminal: Int32? = nil, heard: @escaping @Sendable (String) -> Void,
        complained: @escaping @Sendable (String) -> Void
    ) async throws -> Int32 {
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = DemoProgram.teardown
        let input = try terminal.map(FileDescriptor.init(rawValue:)) ?? .open(FilePath("/dev/null"), .readOnly)
        let result = try await Subprocess.run(
            .path(FilePath(path)), arguments: Arguments(arguments + logLevel), environment: DemoProgram.environment(),
            platformOptions: options, input: .fileDescriptor(input, closeAfterSpawningProcess: terminal == nil),
            output: .sequence, error: .sequence
        ) { execution in
            await withTaskGroup(of: Void.self) { group in
                // What cannot be read any more has been cut off by the program's end.
                group.addTask {
                    do { for try await line in execution.standardOutput.strings() { heard(line) } } catch {}
                }
                group.addTask {
                    do { for try await line in execution.standardError.strings() { complained(line) } } catch {}
                }
            }
        }
        return DemoProgram.code(result.terminationStatus)
    }

    /// Runs it in this terminal, which is its keypad and its screen, until it ends or the task is cancelled.
    ///
    /// - Parameter settings: of the kiosk, by the names of their variables.
    func runInTerminal(_ arguments: [String], settings: [String: String]) async throws -> Int32 {
        var options = PlatformOptions()
        options.teardownSequence = DemoProgram.teardown
        let result = try await Subprocess.run(
            .path(FilePath(path)), arguments: Arguments(arguments + logLevel),
            environment: DemoProgram.environment(settings), platformOptions: options,
            input: .fileDescriptor(.standardInput, closeAfterSpawningProcess: false),
            output: .fileDescriptor(.standardOutput, closeAfterSpawningProcess: false),
            error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false))
        return DemoProgram.code(result.terminationStatus)
    }

    private static func code(_ status: TerminationStatus) -> Int32 {
        switch status {
        case .exited(let code): code
        case .signaled(let number): 128 + number
        }
    }

    /// Without the settings of a kiosk that is installed here.
    private static func environment(_ settings: [String: String] = [:]) -> Subprocess.Environment {
        var changes: [Subprocess.Environment.Key: String?] = [:]
        for name in ProcessInfo.processInfo.environment.keys where name.hasPrefix("LOGIN_KIOSK_") {
            changes.updateValue(nil, forKey: Subprocess.Environment.Key(stringLiteral: name))
        }
        for (name, value) in settings { changes[Subprocess.Environment.Key(stringLiteral: name)] = value }
        return .inherit.updating(changes)
    }
}
