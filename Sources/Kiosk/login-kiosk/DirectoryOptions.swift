// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import HostIntegration

/// The directories of this kiosk, for every command that needs them.
struct DirectoryOptions: ParsableArguments {
    @Option(help: "Directory of the identities. Default: the setting, else ~/.local/state/login-kiosk.")
    var state: String?

    @OptionGroup var configuration: ConfigurationOptions

    /// - Parameters:
    ///   - options: further settings by name from the command's options.
    ///   - staged: a profile to read as if it were installed.
    func load(_ options: [String: String] = [:], staged: ProfileDirectory.Current? = nil) -> KioskConfiguration {
        configuration.load(settings(options), staged: staged)
    }

    func require(_ options: [String: String] = [:], mayLackProfile: Bool = false) throws -> KioskConfiguration {
        try configuration.require(settings(options), mayLackProfile: mayLackProfile)
    }

    func directories(in settings: KioskConfiguration) throws -> KioskDirectories {
        try required(configuration.directory.flatMap { settings.directories($0) })
    }

    func profileDirectory(in settings: KioskConfiguration) throws -> ProfileDirectory {
        try required(settings.profileDirectory)
    }

    private func required<Directories>(_ directories: Directories?) throws -> Directories {
        guard let directories else {
            throw Complaint.make(
                "there is no home directory to keep files in", hint: "name them: --state DIR --config DIR",
                status: .configuration)
        }
        return directories
    }

    func directories() throws -> KioskDirectories { try directories(in: try require()) }

    private func settings(_ options: [String: String]) -> [String: String] {
        var options = options
        options[\.storeDirectory] = state
        return options
    }
}
