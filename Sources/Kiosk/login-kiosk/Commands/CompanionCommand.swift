// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import LinuxSystem

/// A command that is a program of its own, so that a kiosk which does not need it is installed without it.
protocol CompanionCommand: ParsableCommand {
    static var program: CompanionProgram { get }
}

extension CompanionCommand {
    /// Where the command is asked for, the process becomes its program: with the same arguments, streams and signals.
    /// Called before signals are held and memory is kept private, which the program does for itself.
    ///
    /// - Returns: when another command is asked for.
    /// - Throws: a complaint when the program cannot be had.
    static func takeOver() throws {
        guard CommandLine.arguments.dropFirst().first == configuration.commandName else { return }
        let path = try program.installedPath()
        CompanionProgram.become(path, withoutArguments: 1)
        throw Complaint.make("\(path) cannot be started: \(systemErrorText())", status: .unavailable)
    }

    /// For the command's place in the list of all.
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
