// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import PictureTestKit
import Testing

@Suite("login-kiosk scan")
struct ScanCommandTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func scan(_ arguments: String...) async throws -> Program.Run {
        try await Program("login-kiosk").run(["scan"] + arguments)
    }

    private func folder(_ pictures: [Picture]) throws -> String {
        let folder = scratch.path("pictures")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (index, picture) in pictures.enumerated() {
            try Data(picture.png()).write(to: URL(filePath: "\(folder)/\(index).png"))
        }
        return folder
    }

    @Test("One line for each code that comes into view, whatever is in it")
    func lines() async throws {
        let folder = try folder([
            QRPicture.encode("https://login.example/mfa#a1b2c3"), QRPicture.encode("https://login.example/mfa#a1b2c3"),
            QRPicture.encode([0xFF, 0xFE, 0]), QRPicture.encode("two\nlines"),
        ])
        let run = try await scan("--source", "dir,rate=1000:\(folder)")
        #expect(run.status == 0, "\(run)")
        #expect(run.output == "https://login.example/mfa#a1b2c3\nbase64://4A\nbase64:dHdvCmxpbmVz\n")
    }

    @Test("A page is opened and filmed, and nothing is left behind")
    func page() async throws {
        let page = PageServer { request in
            request.path == "/"
                ? .html("<img id=qr src=code.png>")
                : PageServer.Reply(body: QRPicture.encode("https://login.example/mfa#a1b2c3", scale: 6).png())
        }
        let temporary = scratch.path("tmp")
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        let scan = try BackgroundProgram(
            "login-kiosk", ["scan", "--source", page.address()], environment: ["TMPDIR": temporary], in: scratch)
        #expect(try await scan.line(after: "https://login.example/") == "mfa#a1b2c3")
        #expect(try await scan.end(by: SIGINT) == 0, "\(scan.errorText)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
    }

    @Test("The same as objects, with the verdict of the login grammar")
    func objects() async throws {
        let folder = try folder([QRPicture.encode("https://login.example/mfa#a1b2c3"), QRPicture.encode("menu")])
        let run = try await scan("--source", "dir,rate=1000:\(folder)", "--json", "--stats")
        #expect(run.status == 0, "\(run)")
        let lines = run.output.split(separator: "\n")
        let symbols = lines.filter { $0.contains(#""event":"symbol""#) }
        #expect(symbols.count == 2)
        #expect(symbols.first?.contains(#""is_login":true"#) == true)
        #expect(symbols.last?.contains(#""is_login":false"#) == true)
        #expect(symbols.last?.contains(#""text":"menu""#) == true)
        #expect(lines.contains { $0.contains(#""event":"stats""#) && $0.contains(#""symbols":2"#) })
    }

    @Test("A source that is not there is an error, not a wait")
    func missing() async throws {
        let run = try await scan("--source", scratch.path("nothing.png"))
        #expect(run.status == 66 && run.errors.contains("nothing.png"), "\(run)")
        let page = try await scan("--source", "file,rate=x:a.png")
        #expect(page.status == 64, "\(page)")
    }
}
