// SPDX-License-Identifier: Apache-2.0

import Capture
import Glibc
import KioskPorts
import LinuxSystem
import LoginValues
import Patience
import PictureTestKit
import Scanning
import Synchronization
import Testing
@testable import SimulatedCamera

@Suite(.timeLimit(.minutes(10))) struct PageCameraTests {
    private func camera(_ server: PageServer, seed: UInt64 = 1) throws -> PageCamera {
        PageCamera(browser: try BrowserSession(server.address()), settings: FilmSettings(seed: seed))
    }

    /// The symbols in the first `count` frames.
    private func read(_ source: inout SimulatedFrameSource, frames count: Int) throws -> [SecretBytes] {
        var scanner = Scanner(effort: .untilFound)
        var payloads: [SecretBytes] = []
        for _ in 0..<count {
            let answer = try source.lendNext(within: .seconds(1)) { frame in
                payloads += scanner.symbols(in: frame).map(\.payload)
            }
            try #require(answer == .lent)
        }
        return payloads
    }

    private func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }

    @Test func theTextIsReadFromTheFilmAloneAndAnotherPictureIsAnotherText() async throws {
        let shared = Mutex("")
        let server = PageServer { request in
            switch request.path {
            case "/": .html("")
            case "/qr.png": PageServer.Reply(body: QRPicture.encode(shared.withLock(\.self), scale: 6).png())
            default: PageServer.Reply(status: 404)
            }
        }
        for seed: UInt64 in [1, 2, 3] {
            shared.withLock { $0 = "https://login.example/mfa#first\(seed)" }
            let camera = try camera(server, seed: seed)
            var source = SimulatedFrameSource(camera, clock: ManualFrameClock())
            #expect(try read(&source, frames: 2).isEmpty, "seed \(seed): a wall has no text")
            try await camera.look()
            let first = try read(&source, frames: 8)
            #expect(first.count > 4, "seed \(seed)")
            #expect(first.allSatisfy { $0 == secret("https://login.example/mfa#first\(seed)") }, "seed \(seed)")
            shared.withLock { $0 = "https://login.example/mfa#second\(seed)" }
            #expect(try read(&source, frames: 3).allSatisfy { $0 == secret("https://login.example/mfa#first\(seed)") })
            try await camera.look()
            let second = try read(&source, frames: 8)
            #expect(second.count > 4, "seed \(seed)")
            #expect(second.allSatisfy { $0 == secret("https://login.example/mfa#second\(seed)") }, "seed \(seed)")
        }
    }

    @Test func theFilmGoesThroughAPipe() async throws {
        let server = PageServer(PageCameraTests.filmed)
        let camera = try camera(server)
        try await camera.look()
        let pipe = try FilmPipe()
        async let filmed: Void = camera.film(to: pipe.writer, clock: ManualFrameClock())
        do {
            var source = try Y4MStreamSource(descriptor: pipe.reader)
            var scanner = Scanner(effort: .untilFound)
            var found: [Symbol] = []
            var patience = Patience()
            while found.isEmpty, !patience.isOver() {
                _ = try source.lendNext(within: .milliseconds(10)) { found = scanner.symbols(in: $0) }
                // The task that films needs a thread too.
                await Task.yield()
            }
            #expect(found.map(\.payload) == [secret("pipe")])
            // The reader leaves here, which ends the film.
        }
        await filmed
    }

    /// Opens the pipe until it plays. A reader that opens it before the camera has noticed the previous one's end
    /// gets the middle of a film, like a restarted scanner.
    private func sizesOfFrames(from path: String) async -> Set<[Int]> {
        var sizes: Set<[Int]> = []
        var patience = Patience()
        while sizes.isEmpty, !patience.isOver() {
            guard var source = try? Y4MStreamSource(path: path) else { continue }
            while sizes.isEmpty, !patience.isOver(),
                let answer = try? source.lendNext(
                    within: .milliseconds(10), to: { sizes.insert([$0.width, $0.height]) }), answer != .ended
            {
                await Task.yield()
            }
        }
        return sizes
    }

    /// A page with a picture.
    private static let filmed: @Sendable (PageServer.Request) -> PageServer.Reply = { request in
        request.path == "/" ? .html("") : PageServer.Reply(body: QRPicture.encode("pipe", scale: 6).png())
    }

    @Test func withoutAPageNothingIsFilmed() async throws {
        let isThere = Mutex(true)
        let server = PageServer { request in
            isThere.withLock(\.self) ? PageCameraTests.filmed(request) : PageServer.Reply(status: 404)
        }
        let camera = try camera(server)
        let pipe = try FilmPipe()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await camera.film(to: pipe.writer, clock: ManualFrameClock()) }
            #expect(!Poll.isReadable(pipe.reader, within: .milliseconds(300)), "a wall was filmed")
            await #expect(throws: Never.self) { try await camera.look() }
            #expect(Poll.isReadable(pipe.reader, within: .seconds(60)))
            isThere.withLock { $0 = false }
            await #expect(throws: FrameSourceError.self) { try await camera.look() }
            // The frames on their way are read, and nothing follows.
            while Poll.isReadable(pipe.reader, within: .milliseconds(500)) {
                var bytes = [UInt8](repeating: 0, count: 65536)
                let count = unsafe bytes.withUnsafeMutableBytes {
                    unsafe Glibc.read(pipe.reader, $0.baseAddress, $0.count)
                }
                if count <= 0 { break }
            }
            #expect(!Poll.isReadable(pipe.reader, within: .milliseconds(300)))
            group.cancelAll()
        }
        #expect(pipe.drain())
    }

    @Test func aNamedPipeIsFilmedForOneReaderAfterTheOther() async throws {
        let server = PageServer(PageCameraTests.filmed)
        let camera = try camera(server)
        try await camera.look()
        let folder = try TemporaryFolder.made()
        let path = folder.path + "/film"
        let status = unsafe mkfifo(path, 0o600)
        try #require(status == 0)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await camera.film(toNamedPipe: path, clock: ManualFrameClock()) }
            for _ in 0..<2 {
                #expect(await sizesOfFrames(from: path) == [[640, 480]])
            }
            group.cancelAll()
        }
        let error = await #expect(throws: FrameSourceError.self) {
            try await camera.film(toNamedPipe: folder.path + "/none")
        }
        #expect(error?.code == .unreadable)
    }

    @Test func aCancelledFilmEndsAlthoughNobodyReads() async throws {
        let server = PageServer { _ in PageServer.Reply(status: 404) }
        let camera = try camera(server)
        let pipe = try FilmPipe()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await camera.film(to: pipe.writer) }
            group.cancelAll()
        }
        #expect(pipe.drain())
    }

    @Test func theSameSeedFilmsTheSame() async throws {
        let server = PageServer { request in
            request.path == "/" ? .html("") : PageServer.Reply(body: QRPicture.encode("seed").png())
        }
        func firstFrames(seed: UInt64) async throws -> [[UInt8]] {
            let camera = try camera(server, seed: seed)
            try await camera.look()
            var source = SimulatedFrameSource(camera, clock: ManualFrameClock())
            var frames: [[UInt8]] = []
            for _ in 0..<2 {
                _ = try source.lendNext(within: .seconds(1)) { frame in
                    frames.append(frame.withPixels { pixels in pixels.indices.map { pixels[$0] } })
                }
            }
            return frames
        }
        let one = try await firstFrames(seed: 1)
        #expect(try await firstFrames(seed: 1) == one)
        #expect(try await firstFrames(seed: 2) != one)
        #expect(one[0] != one[1])
    }

    @Test(arguments: [
        ("/", PageServer.Reply(status: 404), FrameSourceError.Code.unreadable),
        ("/", PageServer.Reply(status: 302, headers: ["Location: /"]), .silent),
        ("/", PageServer.Reply(status: 302, headers: ["Location: ftp://127.0.0.1/"]), .silent),
        ("/qr.png", PageServer.Reply(status: 404), .unreadable),
        ("/qr.png", .html("not a picture"), .unsupportedFormat),
        ("/qr.png", PageServer.Reply(body: Picture.hugePNG), .tooLarge),
        ("/", PageServer.Reply(body: [UInt8](repeating: 32, count: (8 << 20) + 1)), .tooLarge),
    ])
    func hostilePagesAreNamedWithARemedy(
        path: String, reply: PageServer.Reply, code: FrameSourceError.Code
    ) async throws {
        let server = PageServer { $0.path == path ? reply : .html("") }
        let camera = try camera(server)
        let error = await #expect(throws: FrameSourceError.self) { try await camera.look() }
        #expect(error?.code == code && error?.place == server.address(path), "\(error.map { "\($0)" } ?? "")")
        #expect(error?.remedy.isEmpty == false)
    }

    @Test func nobodyThereIsUnreachable() async throws {
        let port = PageServer { _ in PageServer.Reply() }.port
        let browser = try BrowserSession("http://127.0.0.1:\(port)/")
        let error = await #expect(throws: FrameSourceError.self) { try await PageCamera(browser: browser).look() }
        #expect(error?.code == .silent)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://x/", "/relative", "http:///", ""])
    func onlyWebAddressesAreTaken(text: String) throws {
        #expect { try BrowserSession(text) } throws: { ($0 as? FrameSourceError)?.code == .invalidSource }
    }
}
