// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import DisplayLink
import Foundation
import HostIntegration
import KioskMachine
import Logging
import Signage

extension ScreenOptions {
    /// The options as settings of the configuration.
    var settings: [String: String] {
        Dictionary(
            uniqueKeysWithValues: given.map { (ConfigurationKey.name(setBy: $0.option), $0.value ?? "true") })
    }
}

extension KioskConfiguration {
    /// The kiosk's own language first.
    var languages: Languages {
        self[\.screen.language] ?? Languages(environment: ProcessInfo.processInfo.environment)
    }

    /// The settings of keyboards on a panel.
    var touchSettings: TouchSettings {
        TouchSettings(shufflesPad: self[\.screen.shufflesPad], domains: self[\.screen.mailDomains] ?? [])
    }

    /// The operator's keys for a reset; empty when none are set.
    var resetKeys: [KnownKey] { self[\.resetKeys]?.keys ?? [] }
}

extension LoggingOptions {
    /// - Parameter configuration: gives the level if the option does not.
    func logger(_ label: String, held: HeldLog? = nil, _ configuration: KioskConfiguration) -> Logger {
        logger(label, held: held, usual: configuration[\.logLevel])
    }
}
