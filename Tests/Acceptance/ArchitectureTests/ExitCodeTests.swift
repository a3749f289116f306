// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Compares the table of exit codes in `docs/commands.md` with the sources.
@Suite struct ExitCodeTests {
    /// The cells of the rows whose first cell `isMeant` accepts, from all tables of the page.
    private static func rows(_ isMeant: (String) -> Bool) throws -> [[String]] {
        let page = try SourceTree.text("docs/commands.md")
        let section = try #require(page.components(separatedBy: "## Outcomes and exit codes").last)
        return Page(path: "", whole: section).rows.filter { isMeant($0[0]) }
    }

    /// Reads the table of outcomes: `case .a: .success("words")`, `case .b: .ended(65, ...)`.
    private static func tabled(_ source: String) -> [(code: Int, names: [String])] {
        source.matches(of: /case \.(\w+):\s+\.(?:(success)|(?:givenUp|ended))\(\s*(\d*)/).map { match in
            (match.output.2 != nil ? 0 : Int(match.output.3) ?? -1, [String(match.output.1)])
        }
    }

    private static func coded() throws -> [Int: Set<String>] {
        var coded: [Int: Set<String>] = [:]
        let outcomes = tabled(try SourceTree.text("Sources/Kiosk/KioskMachine/Session/SessionOutcome.swift"))
        #expect(outcomes.count > 20, "outcomes are not found any more")
        for (code, names) in outcomes { coded[code, default: []].formUnion(names) }
        return coded
    }

    @Test func everyOutcomeStandsBesideItsCode() throws {
        let rows = try Self.rows { Int($0) != nil }
        let coded = try Self.coded()
        for row in rows {
            let code = try #require(Int(row[0]))
            let told = row.count > 1 ? row[1].matches(of: /`(\w+)`/).map { String($0.output.1) } : []
            #expect(Set(told) == coded[code, default: []], "exit code \(code)")
        }
        #expect(Set(coded.keys).isSubset(of: rows.compactMap { Int($0[0]) }))
    }

    @Test func everyCodeOfACommandStandsInTheTable() throws {
        let rows = try Self.rows { Int($0) != nil }
        let statuses = try Self.statuses().values.map(\.self)
        #expect(statuses.count > 5, "statuses are not found any more")
        // The other codes are success, and ArgumentParser's code for any other error.
        let codes = Set(statuses).union(try Self.coded().keys).union([0, 1])
        #expect(rows.compactMap { Int($0[0]) } == codes.sorted())
        for code in statuses {
            let row = try #require(rows.first { Int($0[0]) == code })
            #expect(row.count > 2 && !row[2].isEmpty, "exit code \(code) of a command is not explained")
        }
    }

    /// The exit codes of the statuses, by name.
    private static func statuses() throws -> [String: Int] {
        let found = try SourceTree.text("Sources/Common/CommandLineInterface/ExitStatus.swift").matches(
            of: /case (\w+) = (\d+)/)
        return Dictionary(uniqueKeysWithValues: found.map { (String($0.output.1), Int($0.output.2) ?? -1) })
    }

    private static let symbols = [
        "EXIT_SUCCESS": 0, "EXIT_FAILURE": 1, "EX_USAGE": 64, "EX_DATAERR": 65, "EX_NOINPUT": 66, "EX_UNAVAILABLE": 69,
        "EX_SOFTWARE": 70, "EX_OSERR": 71, "EX_CANTCREAT": 73, "EX_IOERR": 74, "EX_TEMPFAIL": 75, "EX_NOPERM": 77,
        "EX_CONFIG": 78,
    ]

    @Test(arguments: ["scanner", "display", "dev"])
    func otherPrograms(_ name: String) throws {
        let row = try #require(try Self.rows { $0 == "`login-kiosk-\(name)`" }.first)
        let told = row[1].split(separator: ":")[0].matches(of: /\d+/).compactMap { Int($0.output) }
        var codes: Set = [0]
        let statuses = try Self.statuses()
        let confinement = name == "dev" ? [] : try SourceTree.sources(of: "ConfinedProcess")
        for source in try SourceTree.sources(of: "login-kiosk-\(name)") + confinement {
            for match in source.matches(of: /\bEX(?:IT)?_[A-Z]+\b/) {
                codes.insert(try #require(Self.symbols[String(match.output)], "\(match.output)"))
            }
            codes.formUnion(source.matches(of: /\bexit\((\d+)\)/).compactMap { Int($0.output.1) })
            for match in source.matches(of: /\bstatus: \.(\w+)\)/) {
                codes.insert(try #require(statuses[String(match.output.1)], "\(match.output)"))
            }
            if source.contains("ExitCode.failure") { codes.insert(1) }
            if source.contains("ParsableCommand") { codes.insert(64) }
        }
        #expect(told == codes.sorted())
    }
}
