// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// The project's pages, which an installation puts into `share/doc` beside the running program's `bin`.
public enum InstalledPages {
    private static let folder: String? = {
        guard let directory = CompanionProgram.directoryOfRunningProgram(), let end = directory.lastIndex(of: "/")
        else { return nil }
        let programs = [CompanionProgram.kiosk.name, CompanionProgram.backend.name]
        return programs.map { "\(directory[..<end])/share/doc/\($0)" }.first(where: isThere)
    }()

    /// Replaces `docs/NAME.md` in a text by the path of the installed page, where it is installed.
    public static func located(in text: String) -> String {
        folder.map { located(in: text, below: $0) } ?? text
    }

    static func located(in text: String, below folder: String) -> String {
        var (result, rest) = ("", text[...])
        while let found = rest.firstRange(of: "docs/") {
            result += rest[..<found.lowerBound]
            let name = rest[found.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "/" }
            let isPage =
                rest[name.endIndex...].hasPrefix(".md") && result.last != "/" && isThere("\(folder)/\(name).md")
            result += isPage ? "\(folder)/" : "docs/"
            rest = rest[found.upperBound...]
        }
        return result + rest
    }

    // Safe: the text is lent for the call.
    private static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}
