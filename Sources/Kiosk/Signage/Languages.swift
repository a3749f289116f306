// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The languages of one kiosk: its own first, then the others.
public struct Languages: Sendable {
    private let catalogues: [PromptCatalogue]

    /// English first.
    public static let standard = Languages(first: .english)

    private init(first: PromptCatalogue) {
        catalogues = [first] + PromptCatalogue.all.filter { $0.language != first.language }
    }

    /// - Parameter tag: a language as people and systems write it: `de`, `de-AT`, `de_DE.UTF-8`.
    /// - Returns: nil for a language that the kiosk does not speak.
    public init?(first tag: some StringProtocol) {
        let language = tag.prefix { $0.isASCII && $0.isLetter }.lowercased()
        guard let first = PromptCatalogue.all.first(where: { $0.language == language }) else { return nil }
        self.init(first: first)
    }

    /// Takes the language of the environment: of the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is not empty.
    /// Takes English when the kiosk does not speak that language.
    public init(environment: [String: String]) {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        let wish = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        self = wish.flatMap { Languages(first: $0) } ?? .standard
    }

    /// The languages' tags, the kiosk's own first.
    public var tags: [String] { catalogues.map(\.language) }

    /// The kiosk's own language.
    public var own: PromptCatalogue { catalogues[0] }

    /// The language's name in the language itself, which people look for; nil for a language that the kiosk does not
    /// speak.
    public static func name(of tag: some StringProtocol) -> String? {
        Languages(first: tag)?.own.name
    }

    /// The language in which the person wants to see `view`.
    public func catalogue(for view: KioskView) -> PromptCatalogue {
        catalogues[view.languageTurn % catalogues.count]
    }

    /// The language that the person gets by asking for the next one at `view`.
    public func catalogue(after view: KioskView) -> PromptCatalogue {
        catalogues[(view.languageTurn + 1) % catalogues.count]
    }
}
