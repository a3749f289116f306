// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Which of this device's identities a command is about.
struct IdentityOptions: ParsableArguments {
    @Option(help: "The user, as `login-kiosk identities list` prints it.") var user: String
    @Option(help: "The backend, where the user is enrolled at several: its URL, or as the list prints it.")
    var backend: String?
}
