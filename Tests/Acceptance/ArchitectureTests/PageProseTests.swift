// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Pages name files, quote code, and quote what a person reads. Each must be as it is in the project.
@Suite("What pages name and quote")
struct PageProseTests {
    // MARK: Files

    /// Top folders, and the endings of code that is in no installed file.
    private static let folders: Set<String> = [
        "Sources", "Tests", "Examples", "docs", "deploy", "udev", ".github", ".ci",
    ]
    private static let endings: Set<String> = ["swift", "py", "sh", "mjs"]

    /// The path of a file of the project; nil for other code.
    static func path(_ code: String) -> String? {
        guard code.wholeMatch(of: /[\w.@*+\/-]+/) != nil else { return nil }
        let path = code.hasSuffix("/") ? String(code.dropLast()) : code
        let parts = path.split(separator: "/")
        let isBelowFolder = parts.count > 1 && folders.contains(String(parts[0]))
        let isCode = path.split(separator: ".").last.map { endings.contains(String($0)) } ?? false
        return isBelowFolder || isCode && path.contains(".") ? path : nil
    }

    /// Whether there is such a file from the top, or for code a file whose path ends so. A pattern, or a name in
    /// capitals that stands for others, needs the folder.
    static func exists(_ path: String, among files: [String]) -> Bool {
        var parts = path.split(separator: "/").map(String.init)
        if let last = parts.last, last.contains("*") || last.wholeMatch(of: /[A-Z]+\.\w+/) != nil {
            parts.removeLast()
        }
        let wanted = parts.joined(separator: "/")
        return FileManager.default.fileExists(atPath: SourceTree.file(wanted).path())
            || files.contains { $0.hasSuffix("/" + wanted) }
    }

    private static func codeFiles() -> [String] {
        ["Sources", "Tests", "Examples", "docs", "deploy"].flatMap { folder in
            let names = FileManager.default.enumerator(atPath: SourceTree.file(folder).path())
            return (names?.allObjects ?? []).compactMap { $0 as? String }.map { "\(folder)/\($0)" }
        }
    }

    @Test("Each file in backticks exists")
    func filesExist() throws {
        let files = Self.codeFiles()
        var count = 0
        // The change log names files as they were.
        for page in try Page.all() where page.path != "CHANGELOG.md" {
            let paths = page.codeSpans.compactMap(Self.path)
            count += paths.count
            let lost = paths.filter { !Self.exists($0, among: files) }
            #expect(lost.isEmpty, "\(page.path): \(lost)")
        }
        #expect(count > 80, "files are not found any more")
    }

    @Test("The check finds a lost file")
    func seesALostFile() {
        #expect(Self.path("Wire/RefusalTable.swift") == "Wire/RefusalTable.swift")
        #expect(Self.path("docs/") == nil && Self.path("text/plain") == nil && Self.path("make test") == nil)
        let files = ["Sources/SDK/MPinClient/Wire/RefusalTable.swift"]
        #expect(Self.exists("Wire/RefusalTable.swift", among: files) && Self.exists("docs/flows.md", among: []))
        #expect(Self.exists("Sources/Kiosk/Signage/Words/LANGUAGE.yaml", among: []))
        #expect(!Self.exists("Wire/Refusals.swift", among: files) && !Self.exists("docs/flow.md", among: []))
    }

    // MARK: Code

    /// A block of Swift, with the files and folders that its paragraph names.
    struct QuotedCode {
        var code: String
        var files: [URL]
    }

    /// The blocks of a page that stand after a link to a file of `Sources`, in the same section or step.
    static func quotedCode(in page: Page) -> [QuotedCode] {
        var sections = [""]
        for line in page.whole.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.prefixMatch(of: /#+ |\*\*\d+\./) != nil { sections.append("") }
            sections[sections.count - 1] += line + "\n"
        }
        let folder = SourceTree.file(page.path).deletingLastPathComponent()
        return sections.map { Page(path: page.path, whole: $0) }.flatMap { section in
            let named = section.links.filter { $0.contains("Sources/") }.map {
                folder.appending(path: $0).standardizedFileURL
            }
            return named.isEmpty ? [] : section.blocks(in: "swift").map { QuotedCode(code: $0, files: named) }
        }
    }

    /// Whether each line stands in the text, spaces and line ends aside; `...` stands for what was left out.
    static func stands(_ code: String, in text: String) -> Bool {
        let text = text.filter { !$0.isWhitespace }
        return code.split(separator: "\n").allSatisfy { line in
            ShownSentences.follow(line.filter { !$0.isWhitespace }.components(separatedBy: "..."), in: text)
        }
    }

    @Test("Code that a page quotes stands in a file that it names")
    func quotedCodeStands() throws {
        let quoted = try Page.all().flatMap(Self.quotedCode)
        #expect(quoted.count >= 9, "code is not found any more")
        for quotation in quoted {
            let texts = quotation.files.flatMap { file in
                let isFolder = file.pathExtension != "swift"
                let path = String(file.path().dropFirst(SourceTree.root.path().count))
                return (isFolder ? SourceTree.files(below: path) : [file]).compactMap {
                    try? String(contentsOf: $0, encoding: .utf8)
                }
            }
            #expect(texts.contains { Self.stands(quotation.code, in: $0) }, "\(quotation.code) is not in the code")
        }
    }

    @Test("The check compares line by line")
    func comparesLines() {
        let text = "    func a(\n        b: Int\n    ) -> Int {\n        return b + 1\n    }\n"
        #expect(Self.stands("return ... 1\nfunc a(b: Int) -> Int\n", in: text))
        #expect(!Self.stands("func a(b: Int) -> Int\nreturn b - 1\n", in: text))
    }

    // MARK: Screens, pages and mails

    /// Quotations of several words that are no screen's.
    private static let others: [String: Set<String>] = [
        "SECURITY.md": ["Report a vulnerability"],
        "CONTRIBUTING.md": [
            "Refuse a pin on a line without TLS", "The time ...", "Number of ...", "Returns ...",
        ],
        "docs/sdk.md": ["Errors and states"],
        "docs/versions.md": ["While splitting coroutine"],
    ]

    /// Whether a quotation is a sentence or a label: it begins with a capital and has several words.
    static func isSentence(_ quotation: String) -> Bool {
        quotation.first?.isUppercase == true && quotation.contains(" ") && quotation.count <= 200
    }

    @Test("A sentence that a page quotes is one that a person is shown")
    func quotationsAreShown() throws {
        let shown = try ShownSentences()
        #expect(shown.count > 400, "sentences are not found any more")
        var count = 0
        for page in try Page.all() where page.path != "CHANGELOG.md" {
            let quoted = page.quotations.filter(Self.isSentence)
            let others = Self.others[page.path] ?? []
            #expect(others.isSubset(of: quoted), "\(page.path) does not quote \(others.subtracting(quoted)) any more")
            count += quoted.count
            let lost = Set(quoted).subtracting(others).filter { !shown.contains($0) }
            #expect(lost.isEmpty, "\(page.path): \(lost)")
        }
        #expect(count > 25, "quotations are not found any more")
    }

    @Test("The check finds a sentence that nobody is shown")
    func seesALostSentence() throws {
        let shown = try ShownSentences()
        #expect(shown.contains("The service is busy") && shown.contains("Delete everything?"))
        #expect(shown.contains("Backend error: BAD_USER_AGENT") && shown.contains("The login ... Please try again."))
        #expect(!shown.contains("Identity revoked, register again") && !shown.contains("An error has occurred"))
    }
}
