// SPDX-License-Identifier: Apache-2.0

extension PromptCatalogue {
    public static let english = embedded("en", PackageResources.en_yaml)

    /// Every language that the kiosk speaks, in the order in which a key turns through them.
    public static let all = [
        english,
        embedded("de", PackageResources.de_yaml),
        embedded("fr", PackageResources.fr_yaml),
        embedded("es", PackageResources.es_yaml),
        embedded("bg", PackageResources.bg_yaml),
    ]

    private static func embedded(_ language: String, _ bytes: [UInt8]) -> PromptCatalogue {
        do { return PromptCatalogue(language: language, file: try PromptFile(bytes)) } catch {
            // The file is part of the program, and a test reads it.
            fatalError("Prompts/\(language).yaml: \(error)")
        }
    }
}
