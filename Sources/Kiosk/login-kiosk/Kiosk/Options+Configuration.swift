// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import HostIntegration
import Logging
import Signage

extension ScreenOptions {
    /// Refuses a language that the screens do not speak.
    func checkLanguage() throws {
        guard let language, Languages(first: language) == nil else { return }
        throw ValidationError("\(language): expected one of \(Languages.standard.tags.joined(separator: ", "))")
    }

    /// The options as settings of the configuration.
    var settings: [String: String] {
        var settings: [String: String] = [:]
        if plain { settings["screen.plain"] = "true" }
        settings["screen.language"] = language
        settings["screen.web-port"] = web.map(String.init)
        settings["screen.web-file"] = webFile
        if webKeys { settings["screen.web-keys"] = "true" }
        settings["screen.display"] = display
        settings["screen.lights"] = lights
        settings["screen.speech"] = speech?.rawValue
        return settings
    }

    /// The screens of a configuration that includes these options.
    func obeying(_ configuration: KioskConfiguration) -> ScreenOptions {
        var options = self
        options.plain = configuration.flag("screen.plain")
        options.language = configuration.text("screen.language")
        options.web = configuration.text("screen.web-port").flatMap(UInt16.init)
        options.webFile = configuration.text("screen.web-file")
        options.webKeys = configuration.flag("screen.web-keys")
        options.display = configuration.text("screen.display")
        options.lights = configuration.text("screen.lights")
        return options
    }

    var languages: Languages {
        language.flatMap { Languages(first: $0) } ?? Languages(environment: ProcessInfo.processInfo.environment)
    }
}

extension KioskConfiguration {
    /// The kiosk's own language first.
    var languages: Languages {
        text("screen.language").flatMap { Languages(first: $0) }
            ?? Languages(environment: ProcessInfo.processInfo.environment)
    }
}

extension LoggingOptions {
    /// - Parameter configuration: gives the level if the option does not.
    func logger(_ label: String, held: HeldLog? = nil, _ configuration: KioskConfiguration) -> Logger {
        let configured = configuration.text("log-level").flatMap(Logger.Level.init(rawValue:))
        return logger(label, held: held, usual: configured ?? .warning)
    }
}
