// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import Patience
import PictureTestKit
import Synchronization
import Testing

@Suite("login-kiosk scan", .fewAtATime)
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

    @Test("One line for each code that comes into view, with any content")
    func lines() async throws {
        let folder = try folder([
            QRPicture.encode("https://login.example/mfa#a1b2c3"), QRPicture.encode("https://login.example/mfa#a1b2c3"),
            QRPicture.encode([0xFF, 0xFE, 0]), QRPicture.encode("two\nlines"),
        ])
        try await scan("--source", "dir,rate=1000:\(folder)").expect(
            0, printing: "https://login.example/mfa#a1b2c3\nbase64://4A\nbase64:dHdvCmxpbmVz\n")
    }

    @Test("The demonstration opens and films a page, and leaves nothing behind")
    func page() async throws {
        let page = PageServer { request in
            request.path == "/"
                ? .html("")
                : PageServer.Reply(body: QRPicture.encode("https://login.example/mfa#a1b2c3", scale: 6).png())
        }
        let temporary = scratch.path("tmp")
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        let environment = ["TMPDIR": temporary]
        let film = try await PageFilm(of: page.address(), environment: environment, in: scratch)
        let scan = try BackgroundProgram(
            "login-kiosk", ["scan", "--source", film.source], environment: environment, in: scratch)
        #expect(try await scan.line(after: "https://login.example/") == "mfa#a1b2c3")
        #expect(try await scan.end(by: SIGINT) == 0, "\(scan.errorText)")
        #expect(try await film.program.end(by: SIGINT) == 0, "\(film.program.errorText)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
        let pipe = String(film.source.dropFirst("y4m:".count))
        #expect(!FileManager.default.fileExists(atPath: pipe))
        // The kiosk has no browser.
        try await self.scan("--source", page.address()).expect(64, "login-kiosk demo film")
    }

    @Test("The same as JSON objects, with the verdict on the login code")
    func objects() async throws {
        let folder = try folder([QRPicture.encode("https://login.example/mfa#a1b2c3"), QRPicture.encode("menu")])
        let run = try await scan("--source", "dir,rate=1000:\(folder)", "--json", "--stats").expect(0)
        let lines = run.output.split(separator: "\n")
        let symbols = lines.filter { $0.contains(#""event":"symbol""#) }
        #expect(symbols.count == 2)
        #expect(symbols.first?.contains(#""is_login":true"#) == true)
        #expect(symbols.last?.contains(#""is_login":false"#) == true)
        #expect(symbols.last?.contains(#""text":"menu""#) == true)
        #expect(lines.contains { $0.contains(#""event":"stats""#) && $0.contains(#""symbols":2"#) })
    }

    @Test("An object has the fields of its event, and no others")
    func fields() async throws {
        let folder = try folder([QRPicture.encode("menu"), QRPicture.encode([0xFF, 0xFE, 0])])
        try Data(QRPicture.encode("two").png().prefix(100)).write(to: URL(filePath: "\(folder)/2.png"))
        let run = try await scan("--source", "dir,rate=1000:\(folder)", "--json", "--stats").expect(65)
        let lines = run.output.split(separator: "\n")
        #expect(lines.contains(#"{"event":"running","version":1}"#), "\(run)")
        let symbol = ["brightness", "edge", "event", "is_login", "parts", "sharpness", "text", "version", "x", "y"]
        #expect(try fields(of: lines.first { $0.contains(#""text":"menu""#) }) == symbol)
        #expect(
            try fields(of: lines.first { $0.contains(#""base64":"#) })
                == (symbol.filter { $0 != "text" } + ["base64"]).sorted())
        #expect(try fields(of: lines.first { $0.contains(#""skipped""#) }) == ["event", "reason", "version"])
        #expect(
            try fields(of: lines.last { $0.contains(#""stats""#) }) == [
                "damaged", "decoding_ms", "dropped", "event", "flawed", "frames", "repeats", "symbols", "version",
            ])
    }

    private func fields(of line: Substring?) throws -> [String] {
        let object = try JSONSerialization.jsonObject(with: Data(try #require(line).utf8))
        return try #require(object as? [String: Any]).keys.sorted()
    }

    @Test("A damaged picture is skipped and reported, also by the exit code")
    func damaged() async throws {
        let folder = try folder([QRPicture.encode("one"), QRPicture.encode("two"), QRPicture.encode("three")])
        try Data(QRPicture.encode("two").png().prefix(100)).write(to: URL(filePath: "\(folder)/1.png"))
        try await scan("--source", "dir,rate=1000:\(folder)").expect(
            65, "left out: \(folder)/1.png: is a damaged PNG", printing: "one\nthree\n")
        try await scan("--source", "dir,rate=1000:\(folder)", "--json").expect(65, output: #""event":"skipped""#)
    }

    @Test("With --each every picture prints a line, in order, whatever it shows")
    func each() async throws {
        let folder = try folder([
            QRPicture.encode("one"), Picture(width: 64, height: 64, shade: 200), QRPicture.encode("two\nlines"),
        ])
        let alone = folder + "-a\tb.png"
        let picture = Data(QRPicture.encode("https://login.example/mfa#a1b2c3").png())
        #expect(FileManager.default.createFile(atPath: alone, contents: picture))
        let run = try await scan("--each", alone, folder + "/").expect(0)
        let name = "base64:" + Data(alone.utf8).base64EncodedString()
        #expect(
            run.output.split(separator: "\n") == [
                "\(name)\thttps://login.example/mfa#a1b2c3", "\(folder)/0.png\tone", "\(folder)/1.png\t",
                "\(folder)/2.png\tbase64:dHdvCmxpbmVz",
            ], "\(run)")
    }

    @Test("With --each a picture that cannot be read says so in its line, and the others go on")
    func eachDamaged() async throws {
        let folder = try folder([QRPicture.encode("one"), QRPicture.encode("two"), QRPicture.encode("three")])
        try Data(QRPicture.encode("two").png().prefix(100)).write(to: URL(filePath: "\(folder)/1.png"))
        let empty = scratch.path("empty")
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
        let missing = scratch.path("missing.png")
        let run = try await scan("--each", missing, folder, empty).expect(65, "3 of 5 could not be read")
        let lines = run.output.split(separator: "\n")
        let starts = [
            "\(missing)\t\tcannot be found", "\(folder)/0.png\tone", "\(folder)/1.png\t\tis a damaged PNG",
            "\(folder)/2.png\tthree", "\(empty)\t\tholds no picture",
        ]
        #expect(lines.count == starts.count && zip(lines, starts).allSatisfy { $0.hasPrefix($1) }, "\(run)")
        try await scan("--each", missing).expect(66)
        let json = try await scan("--each", "--json", "\(folder)/0.png", "\(folder)/1.png")
        let objects = json.output.split(separator: "\n")
        #expect(json.status == 65 && objects.count == 2, "\(json)")
        #expect(objects.allSatisfy { $0.contains(#""event":"picture""#) }, "\(json)")
        #expect(objects.first?.contains(#""text":"one""#) == true, "\(json)")
        #expect(objects.last?.contains(#""reason":"is a damaged PNG"#) == true, "\(json)")
    }

    @Test("Pictures need --each, and --each needs pictures alone")
    func eachUsage() async throws {
        for arguments in ["a.png", "--each", "--each --source a.png b.png", "--each --stats a.png"] {
            try await Program("login-kiosk").run(["scan"] + arguments.split(separator: " ").map(String.init)).expect(
                64, "--each")
        }
    }

    @Test("A page that is missing or silent is reported, and shown when it comes")
    func deadPage() async throws {
        // Where no other test's server comes when it is gone.
        let listener = try LoopbackListener(port: LoopbackListener.freePort())
        let isAwake = Mutex(false)
        let page = PageServer { request in
            request.path == "/"
                ? .html("")
                : PageServer.Reply(body: QRPicture.encode("https://login.example/mfa#a1b2c3", scale: 6).png())
        }
        // It accepts connections and is silent, until it passes them on.
        listener.serve { connection in
            guard isAwake.withLock(\.self), let request = WireMessage(from: connection),
                let server = try? LoopbackConnection(port: page.port)
            else {
                connection.receiveToEnd()
                return
            }
            server.send(request.bytes)
            while let bytes = server.receive() { connection.send(bytes) }
        }
        let address = "http://127.0.0.1:\(listener.port)/"
        let silent = try await PageFilm(of: address, in: scratch)
        let waiting = try BackgroundProgram("login-kiosk", ["scan", "--source", silent.source], in: scratch)
        try await silent.program.error(containing: "has not answered for 3 s")
        isAwake.withLock { $0 = true }
        #expect(try await waiting.line(after: "https://login.example/") == "mfa#a1b2c3")
        #expect(try await waiting.end() == 0)
        #expect(try await silent.program.end() == 0)
        listener.stop()
        let dead = try await PageFilm(of: address, in: scratch)
        let scan = try BackgroundProgram("login-kiosk", ["scan", "--source", dead.source, "--stats"], in: scratch)
        try await dead.program.error(containing: "no pictures: \(address): does not answer")
        // Statistics continue, and nothing is filmed.
        try await scan.error(containing: "frames 0, dropped 0")
        #expect(try await scan.end() == 0)
        #expect(!scan.errorText.contains("frames 1"), "\(scan.errorText)")
        #expect(try await dead.program.end() == 0)
    }

    @Test("Without a reader of its output it ends with a message, not by a signal")
    func closedOutput() async throws {
        let folder = try folder([QRPicture.encode("one"), QRPicture.encode("two")])
        var shell = try Program("login-kiosk")
        let program = shell.executable.path()
        shell = Program(executable: URL(filePath: "/bin/sh"))
        let run = try await shell.run([
            "-c", #"{ "$0" scan --source "$1"; echo "status $?" >&2; } | true"#, program, "dir,loop:\(folder)",
        ])
        #expect(run.errors.contains("status 74") && run.errors.contains("standard output takes no more"), "\(run)")
    }

    @Test("A missing source is an error, not a wait")
    func missing() async throws {
        try await scan("--source", scratch.path("nothing.png")).expect(66, "nothing.png")
        try await scan("--source", "file,rate=x:a.png").expect(64)
    }
}
