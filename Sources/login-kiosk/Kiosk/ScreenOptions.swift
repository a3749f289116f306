// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import HostIntegration
import Signage

/// Where a person looks, and in which language.
struct ScreenOptions: ParsableArguments {
    @Flag(help: "One line of text for each change, for braille displays and logs.") var plain = false
    @Option(
        help: ArgumentHelp(
            "The language of the screens to begin with; MENU changes it. Default: the environment's.",
            discussion: "en, de, fr, es or bg."))
    var language: String?
    @Option(
        help: ArgumentHelp(
            "Show the screen also as a page for a browser on this machine, at this port of 127.0.0.1.",
            valueName: "port"))
    var web: UInt16?
    @Option(
        help: ArgumentHelp(
            "A file that leads a browser to that page: open it in place of the address.",
            discussion: """
                Without it the page shows the screen to browsers of the kiosk's own user only. The file is written at the \
                start, for its owner only; in a directory with set-group-ID also for that group.
                """, valueName: "file.html"))
    var webFile: String?
    @Flag(help: "Take keys from that page, in place of the terminal, from a browser that opened the file.")
    var webKeys = false

    @Option(
        help: ArgumentHelp(
            "Lamps and a buzzer at GPIO lines: green=LINE,red=LINE,buzzer=LINE, as far as there are some.",
            discussion: "With chip=LABEL and active=low where needed; `devices` lists the chips."))
    var lights: String?

    func validate() throws {
        if webFile != nil, web == nil { throw ValidationError("--web-file needs a page: --web PORT") }
        if webKeys, webFile == nil {
            throw ValidationError("--web-keys needs a file that leads to the page: --web-file FILE")
        }
        if let language, Languages(first: language) == nil {
            throw ValidationError("\(language): expected one of \(Languages.standard.tags.joined(separator: ", "))")
        }
    }

    /// The options as settings of the configuration.
    var settings: [String: String] {
        var settings: [String: String] = [:]
        if plain { settings["screen.plain"] = "true" }
        settings["screen.language"] = language
        settings["screen.web-port"] = web.map(String.init)
        settings["screen.web-file"] = webFile
        if webKeys { settings["screen.web-keys"] = "true" }
        settings["screen.lights"] = lights
        return settings
    }

    /// The screens of a configuration that these options have gone into.
    func obeying(_ configuration: KioskConfiguration) -> ScreenOptions {
        var options = self
        options.plain = configuration.flag("screen.plain")
        options.language = configuration.text("screen.language")
        options.web = configuration.text("screen.web-port").flatMap(UInt16.init)
        options.webFile = configuration.text("screen.web-file")
        options.webKeys = configuration.flag("screen.web-keys")
        options.lights = configuration.text("screen.lights")
        return options
    }

    var languages: Languages {
        language.flatMap { Languages(first: $0) } ?? Languages(environment: ProcessInfo.processInfo.environment)
    }
}
