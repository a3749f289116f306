// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser

/// The screens for people, and their language.
public struct ScreenOptions: ParsableArguments, Sendable {
    @Flag(help: "One line of text for each change, for braille displays and logs.") public var plain = false
    @Option(
        help: ArgumentHelp(
            "The language of the screens to begin with; on the scan screen 2 or CLEAR changes it. "
                + "Default: the environment's.",
            discussion: "en, de, fr, es or bg."))
    public var language: String?
    @Option(
        help: ArgumentHelp(
            "Show the screen also as a page for a browser on this machine, at this port of 127.0.0.1.",
            valueName: "port"))
    public var web: UInt16?
    @Option(
        help: ArgumentHelp(
            "A file that leads a browser to that page: open it in place of the address.",
            discussion: """
                Without it the page shows the screen to browsers of the kiosk's own user only. The file is written at \
                the start, for its owner only; in a directory with set-group-ID also for that group.
                """, valueName: "file.html"))
    public var webFile: String?
    @Flag(help: "Take keys from that page, in place of the terminal, from a browser that opened the file.")
    public var webKeys = false

    @Option(
        help: ArgumentHelp(
            """
            The panel that the kiosk draws on: auto for the first that is connected, a panel as `devices` names it, \
            or none. Default: auto, on the machine's own console, where login-kiosk-display is installed.
            """))
    public var display: String?

    @Option(
        help: ArgumentHelp(
            "Lamps and a buzzer at GPIO lines: green=LINE,red=LINE,buzzer=LINE, as far as there are some.",
            discussion: "With chip=LABEL and active=low where needed; `devices` lists the chips."))
    public var lights: String?

    @Option(
        help: ArgumentHelp(
            "Offer speech by espeak-ng: 5 on the scan screen begins it. headphones, loudspeaker or off (default).",
            discussion: "At a loudspeaker users, documents, codes and typed letters are not spoken."))
    public var speech: String?

    public init() {}

    public func validate() throws {
        if webFile != nil, web == nil { throw ValidationError("--web-file needs a page: --web PORT") }
        if webKeys, webFile == nil {
            throw ValidationError("--web-keys needs a file that leads to the page: --web-file FILE")
        }
    }

    /// The options that were given. A flag has no value.
    public var given: [(option: String, value: String?)] {
        var given: [(option: String, value: String?)] = []
        if plain { given.append(("--plain", nil)) }
        if webKeys { given.append(("--web-keys", nil)) }
        for (option, value) in [
            ("--language", language), ("--web", web.map { "\($0)" }), ("--web-file", webFile), ("--display", display),
            ("--lights", lights), ("--speech", speech),
        ] where value != nil { given.append((option, value)) }
        return given
    }
}
