// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import HostIntegration
import Logging

extension LoggingOptions {
    /// - Parameter configuration: says the level where the option does not.
    func logger(_ label: String, held: HeldLog? = nil, _ configuration: KioskConfiguration) -> Logger {
        let configured = configuration.text("log-level").flatMap(Logger.Level.init(rawValue:))
        return logger(label, held: held, usual: configured ?? .warning)
    }
}
