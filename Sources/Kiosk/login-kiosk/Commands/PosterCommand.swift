// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import HostIntegration
import Signage

struct PosterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poster",
        abstract: "Print a poster for the wall: how to log in at this kiosk.",
        discussion: """
            The poster is an SVG picture, A4, in one language. Print it from a browser.
            For example: login-kiosk poster --language de --svg poster.svg
            """)

    @OptionGroup var place: ConfigurationOptions
    @Option(help: "Language: \(Languages.standard.tags.joined(separator: ", ")). Default: the kiosk's first.")
    var language: String?
    @Option(help: ArgumentHelp("Write it to this file. Default: standard output.", valueName: "file"))
    var svg: String?

    func validate() throws {
        guard let language, Languages(first: language) == nil else { return }
        throw ValidationError(
            "\(language): expected one of \(Languages.standard.tags.joined(separator: ", "))")
    }

    func run() throws {
        let languages = language.flatMap { Languages(first: $0) } ?? place.load().languages
        let poster = Poster(words: languages.own)
        guard let svg else { return try Output.write(poster.svg) }
        try PictureFile.write(poster.svg, to: svg)
        print("written: \(svg)")
    }
}
