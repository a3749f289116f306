// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import HostIntegration

/// The directory of the configuration, for every command that uses it.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: """
            Directory of config.yaml, and unless that says otherwise of the trust list and of the key that seals the \
            identities. Default: $CONFIGURATION_DIRECTORY, else /etc/login-kiosk where a kiosk is installed, else \
            ~/.config/login-kiosk.
            """)
    var config: String?

    /// - Returns: nil when there is neither an option nor a home.
    var directory: String? {
        let installed = KioskDirectories.layers(of: KioskDirectories.systemConfiguration)
            .map(SettingsFile.configuration.path(in:))
        return config
            ?? KioskDirectories.usualConfiguration(
                in: ProcessInfo.processInfo.environment,
                // A dangling link is treated as present: it is a mistake, not an absence.
                isInstalled: installed.contains { (try? FileManager.default.attributesOfItem(atPath: $0)) != nil })
    }

    func requireDirectory() throws -> String {
        guard let directory else {
            throw Complaint.make(
                "there is no home directory to keep files in", hint: "name it: --config DIR", status: .configuration)
        }
        return directory
    }

    /// Loads the configuration with all its problems.
    ///
    /// - Parameters:
    ///   - options: settings by name from the command's options.
    ///   - staged: a profile to read as if it were installed.
    func load(_ options: [String: String] = [:], staged: ProfileDirectory.Current? = nil) -> KioskConfiguration {
        let environment = ProcessInfo.processInfo.environment
        return KioskConfiguration(
            directory: directory, state: KioskDirectories.usualState(in: environment), environment: environment,
            options: options, staged: staged)
    }

    /// Loads the configuration of a kiosk that will run: a mistake in it ends the command.
    ///
    /// - Parameter mayLackProfile: whether the installed profile may be missing.
    func require(_ options: [String: String] = [:], mayLackProfile: Bool = false) throws -> KioskConfiguration {
        let configuration = load(options)
        let problems = configuration.allProblems.filter { !mayLackProfile || $0 != configuration.profileProblem }
        guard let last = problems.last else { return configuration }
        for problem in problems.dropLast() { Complaint.say("\(problem)") }
        let isWrongOption = configuration.problems.contains { if case .commandLine = $0.origin { true } else { false } }
        throw Complaint.make(
            "\(last)", hint: "see the settings in effect: login-kiosk config show",
            status: isWrongOption ? .usage : .configuration)
    }
}
