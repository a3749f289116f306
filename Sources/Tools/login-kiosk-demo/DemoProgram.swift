// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import LinuxSystem
import Subprocess
import SystemPackage

/// A program of this project that the demonstration starts.
struct DemoProgram: Sendable {
    /// A program that is told to stop ends in far less time. One that does not react is killed.
    private static let teardown = [TeardownStep.gracefulShutDown(allowedDurationToNextStep: .seconds(10))]

    private let path: String
    private let logLevel: [String]

    /// - Parameter logLevel: the program's log level.
    /// - Throws: a complaint when it is not installed.
    init(_ program: CompanionProgram, logLevel: String? = nil) throws {
        path = try program.installedPath()
        self.logLevel = logLevel.map { ["--log-level", $0] } ?? []
    }

    /// Runs the program until it ends, and ends it when the task is cancelled. Ctrl-C reaches the demonstration only,
    /// which then ends the program itself.
    ///
    /// - Parameters:
    ///   - terminal: the source of its keys; nil for none.
    ///   - heard: called with each line of standard output.
    ///   - complained: called with each line of standard error.
    /// - Returns: its exit code, or 128 plus the number of the signal that ended it.
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
                // Reading fails when the program has ended.
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

    /// Runs the program in this terminal, as keypad and screen, until it ends or the task is cancelled.
    ///
    /// - Parameter settings: the kiosk's settings, by the names of their variables.
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

    /// The environment without the settings of a kiosk that is installed here.
    private static func environment(_ settings: [String: String] = [:]) -> Subprocess.Environment {
        var changes: [Subprocess.Environment.Key: String?] = [:]
        for name in ProcessInfo.processInfo.environment.keys where name.hasPrefix("LOGIN_KIOSK_") {
            changes.updateValue(nil, forKey: Subprocess.Environment.Key(stringLiteral: name))
        }
        for (name, value) in settings { changes[Subprocess.Environment.Key(stringLiteral: name)] = value }
        return .inherit.updating(changes)
    }
}
