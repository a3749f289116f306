// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import HostIntegration

/// Where this kiosk's files are, for every command that needs them.
struct DirectoryOptions: ParsableArguments {
    @Option(help: "Directory of the identities. Default: $STATE_DIRECTORY, else ~/.local/state/login-kiosk.")
    var state: String?

    @Option(
        help: """
            Directory of the trust list and of the key that seals the identities. \
            Default: $CONFIGURATION_DIRECTORY, else ~/.config/login-kiosk.
            """)
    var config: String?

    func directories() throws -> KioskDirectories {
        if let state, let config { return KioskDirectories(state: state, configuration: config) }
        guard let usual = KioskDirectories.usual(in: ProcessInfo.processInfo.environment) else {
            throw Complaint.make(
                "there is no home directory to keep files in", hint: "name them: --state DIR --config DIR",
                status: .configuration)
        }
        return KioskDirectories(state: state ?? usual.state, configuration: config ?? usual.configuration)
    }
}
