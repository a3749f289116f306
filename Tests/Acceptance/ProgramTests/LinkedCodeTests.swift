// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The content of the built programs, according to their symbol tables.
@Suite("A program does not contain code that it never uses")
struct LinkedCodeTests {
    /// Code by its symbols.
    enum Code: Sendable, CustomTestStringConvertible {
        /// A Swift module, whose name begins each of its symbols.
        case module(String)
        /// A part of names in a C library.
        case names(String)

        var text: String {
            switch self {
            case .module(let name): "$s\(name.utf8.count)\(name)"
            case .names(let part): part
            }
        }

        var testDescription: String { text }
    }

    static let backend: [Code] = [
        .module("MPinServer"), .module("ReferenceBackend"), .module("OpenIDProvider"), .module("BackendValues"),
        .module("BackendDatabases"), .module("JWTKit"), .module("NIOSSL"), .names("BoringSSL"), .names("MailServer"),
    ]
    /// A database client, which only backends contain.
    static let database: [Code] = [.module("PostgreSQL"), .names("PQconnect")]
    static let never: [(String, [Code])] = [
        (
            "login-kiosk",
            backend + database + [.module("SimulatedCamera"), .module("Scanning"), .names("zbar_")]
        ),
        (
            "login-kiosk-scanner",
            backend + database
                + [
                    .module("SimulatedCamera"), .module("MPinClient"), .module("KioskRuntime"), .module("Signage"),
                    .module("Sealing"), .names("EVP_"),
                ]
        ),
        (
            "login-kiosk-display",
            backend + database
                + [
                    .module("MPinClient"), .module("KioskMachine"), .module("Signage"), .module("Scanning"),
                    .module("Sealing"), .names("EVP_"),
                ]
        ),
        (
            "login-kiosk-backend",
            [
                .module("MPinClient"), .module("KioskMachine"), .module("KioskRuntime"), .module("CurlTransport"),
                // One TLS library is enough.
                .module("JWTKit"), .names("CCryptoBoringSSL"),
            ]
        ),
        (
            "login-kiosk-demo",
            backend + database + [.module("MPinClient"), .module("KioskRuntime"), .module("Scanning")]
        ),
    ]

    @Test(arguments: never)
    func holdsNone(program: String, code: [Code]) throws {
        let symbols = try SymbolNames(of: try Program(program).executable)
        for code in code { #expect(!symbols.contains(code.text), "\(program) holds \(code.text)") }
    }

    /// The check itself: existing symbols are found.
    @Test(arguments: [
        (
            "login-kiosk",
            [Code.module("MPinClient"), .module("KioskMachine"), .module("WebScreen"), .names("curl_easy")]
        ),
        ("login-kiosk-scanner", [.module("Scanning"), .names("zbar_")]),
        ("login-kiosk-display", [.module("Display"), .names("pango_layout")]),
        (
            "login-kiosk-backend",
            [
                .module("MPinServer"), .module("ReferenceBackend"), .module("OpenIDProvider"), .module("BackendTLS"),
                .module("BackendDatabases"), .module("NIOSSL"), .names("CNIOBoringSSL"), .names("MailServer"),
                .names("PQconnect"),
            ]
        ),
        ("login-kiosk-demo", [.module("SimulatedCamera")]),
    ])
    func seesWhatIsThere(program: String, code: [Code]) throws {
        let symbols = try SymbolNames(of: try Program(program).executable)
        for code in code { #expect(symbols.contains(code.text), "\(program) does not hold \(code.text)") }
    }
}

/// The names in the symbol table of a 64-bit ELF file (elf(5)) that is not stripped.
struct SymbolNames {
    private struct Section {
        let type: UInt32
        let offset: Int
        let size: Int
        let link: Int
    }

    private static let symbolTable: UInt32 = 2

    private let names: Data

    init(of file: URL) throws {
        let bytes = try Data(contentsOf: file, options: .alwaysMapped)
        func number<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) throws -> Number {
            try #require(offset >= 0 && offset + MemoryLayout<Number>.size <= bytes.count, "\(file.path()) is cut off")
            return bytes[offset..<offset + MemoryLayout<Number>.size].reversed().reduce(0) { $0 << 8 | Number($1) }
        }
        try #require(bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]), "\(file.path()) is no 64-bit ELF file")
        let start = Int(try number(UInt64.self, at: 0x28))
        let (size, count) = (Int(try number(UInt16.self, at: 0x3A)), Int(try number(UInt16.self, at: 0x3C)))
        let sections = try (0..<count).map { index in
            let header = start + index * size
            return Section(
                type: try number(UInt32.self, at: header + 0x04),
                offset: Int(try number(UInt64.self, at: header + 0x18)),
                size: Int(try number(UInt64.self, at: header + 0x20)),
                link: Int(try number(UInt32.self, at: header + 0x28)))
        }
        let table = try #require(
            sections.first { $0.type == SymbolNames.symbolTable }, "\(file.path()) has no symbols any more")
        let strings = sections[table.link]
        names = bytes[strings.offset..<strings.offset + strings.size]
    }

    func contains(_ text: String) -> Bool { names.range(of: Data(text.utf8)) != nil }
}
