// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// The line below the picture, for a kiosk that cannot scan.
@Suite struct TypedCodeTests {
    @Test(arguments: [Dialect.milagro, .milagroWithoutPermits])
    func theNumberOnThePageLogsItsBrowserIn(_ dialect: Dialect) async throws {
        try await withBackend(configure: { $0.dialect = dialect }) { backend in
            let device = AnyDevice.classic(
                try await Device.registered(AnyDevice.userID, pin: "1234", at: backend),
                usesPermits: dialect.usesTimePermits)
            let browser = Browser(backend)
            let number = try #require(Self.code(on: try await browser.get("/")))
            #expect(number.utf8.count == AccessNumber.digits)
            #expect(AccessNumber.checkDigit(of: number.utf8.prefix(6).map { Int($0) - 0x30 }) == Int(number.suffix(1)))
            _ = try await backend.client.post("/rps/codeStatus", ["status": "wid", "wid": .string(number)])
            #expect(try await browser.session() == ["scanned", ""])
            async let last = device.logIn(number)
            #expect(try await browser.waitForLogin() == AnyDevice.userID)
            #expect(try await last == 200)
            #expect(Self.code(on: try await browser.get("/")) == nil)
        }
    }

    /// The picture still counts, and is polled first.
    @Test func thePictureCountsBesideIt() async throws {
        try await withBackend { backend in
            let device = try await Device.registered(AnyDevice.userID, pin: "1234", at: backend)
            let browser = Browser(backend)
            _ = try await browser.get("/")
            async let last = device.logInBrowser(pin: "1234", accessCode: try await browser.accessCode())
            #expect(try await browser.waitForLogin() == AnyDevice.userID)
            #expect(try await last.status == 200)
        }
    }

    @Test(arguments: [Dialect.mfaV1, .mfaV2, .trust2023, .trust2025])
    func elsewhereItIsTheCodeOfThePicture(_ dialect: Dialect) async throws {
        try await withBackend(configure: {
            $0.dialect = dialect
            $0.companyID = AnyDevice.companyID
        }) { backend in
            let browser = Browser(backend)
            let code = Self.code(on: try await browser.get("/"))
            let picture =
                dialect == .mfaV1 ? try await browser.accessCode() : try await browser.accessID(below: "")
            #expect(code == picture)
            // A kiosk accepts typed codes for an origin only.
            #expect(Self.code(on: try await browser.get("/\(dialect.rawValue)/")) == nil)
        }
    }

    /// The code in the line.
    static func code(on page: Reply) -> String? {
        page.text.split(separator: "<code id=\"code\">").dropFirst().first.map { String($0.prefix { $0 != "<" }) }
    }
}
