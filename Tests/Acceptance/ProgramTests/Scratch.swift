// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

/// A directory that is deleted after its test.
final class Scratch: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "login-kiosk-\(UUID().uuidString)")
    var path: String { url.path() }

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path() }

    /// Writes a file, and its folder if there is none.
    ///
    /// - Returns: its path.
    @discardableResult
    func write(_ content: some Sequence<UInt8>, to name: String, mode: Int = 0o644) throws -> String {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path())
        return file.path()
    }

    @discardableResult
    func write(_ text: String, to name: String, mode: Int = 0o644) throws -> String {
        try write(Array(text.utf8), to: name, mode: mode)
    }

    /// Puts an executable file here. A process of its own writes it: while this process has a file open, so has each
    /// child that another test starts at that moment, and the system starts no file that is open to be written ("Text file
    /// busy").
    func install(_ source: String, as name: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/install")
        process.arguments = ["-D", "--mode=755", "--", source, path(name)]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(source) was not copied")
    }

    func install(script: String, as name: String) throws {
        let text = try write(script, to: "script-\(UUID().uuidString)")
        try install(text, as: name)
        try FileManager.default.removeItem(atPath: text)
    }

    /// Waits until the clock shows another second. The serial numbers of profiles are the seconds of their creation.
    static func nextSecond() async throws {
        let second = Int(Date().timeIntervalSince1970)
        try await Patience.until { Int(Date().timeIntervalSince1970) > second }
    }
}

extension Scratch {
    /// Options that name the files of a kiosk in this folder.
    var places: [String] { ["--state", path("kiosk"), "--config", path("config")] }

    /// Runs a command of that kiosk's operator.
    func kiosk(
        _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) async throws -> Program.Run {
        var program = try Program("login-kiosk")
        program.environment = environment
        return try await program.run(arguments + places, input: input)
    }

    /// Arguments of a kiosk in front of a wall, with a script of keys.
    ///
    /// - Parameter loops: whether the camera films until the end.
    func atAWall(keys: String = "wait 3600\n", loops: Bool = false) throws -> [String] {
        ["run", "--source", (loops ? "file,loop:" : "") + (try wall()), "--keys", try write(keys, to: "keys")] + places
    }

    /// A film of a single picture that shows nothing, as a source.
    func wall() throws -> String { try write("YUV4MPEG2 W4 H4 Cmono\nFRAME\n0123456789abcdef", to: "wall.y4m") }
}
