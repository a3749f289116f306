// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import LinuxSystem

/// A command in a program of its own, so that kiosks that do not need it can be installed without it.
protocol CompanionCommand: ParsableCommand {
    static var program: CompanionProgram { get }
}

extension CompanionCommand {
    /// Replaces the process by the command's program, with the same arguments, streams and signals, if the arguments
    /// name the command. Called before signals are held and memory is made private, because the program does both
    /// itself.
    ///
    /// - Returns: when the arguments name another command.
    /// - Throws: a complaint when the program cannot be started.
    static func takeOver() throws {
        guard CommandLine.arguments.dropFirst().first == configuration.commandName else { return }
        let path = try program.installedPath()
        CompanionProgram.become(path, withoutArguments: 1)
        throw Complaint.make("\(path) cannot be started: \(systemErrorText())", status: .unavailable)
    }

    /// Only for the list of commands.
    func run() throws { try Self.takeOver() }
}

struct DemoCommand: CompanionCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Show a whole login on this machine: backend, browser, camera and kiosk.",
        discussion: "This is the program login-kiosk-demo, which explains itself: login-kiosk demo --help")
    static let program = CompanionProgram.demo
}

struct BackendCommand: CompanionCommand {
    static let configuration = CommandConfiguration(
        commandName: "backend", abstract: "Serve the reference backend: D-TAs, RPS and a web site to log in to.",
        discussion: "This is the program login-kiosk-backend, which explains itself: login-kiosk backend --help")
    static let program = CompanionProgram.backend
}
