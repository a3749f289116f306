// SPDX-License-Identifier: Apache-2.0

import Patience
import Capture
import Foundation
import LinuxSystem
import PictureTestKit

/// The scanner as the kiosk runs it, with a library that acts as if a picture had taken it over.
final class Intruder {
    /// Long enough for a busy machine, but an end for a test that hangs.
    private static let patience = Duration.seconds(60)

    /// The C compiler, which builds the library.
    static let compiler = ["/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/clang"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private let shell = Process()
    private let commands = Pipe()
    private let complaints = Pipe()

    /// The scanner's parent. It starts the scanner and waits until the test ends.
    var parent: pid_t { shell.processIdentifier }

    /// - Parameters:
    ///   - folder: the folder for the library. The scanner has its film as descriptor 9.
    ///   - key: path of the file that the intruder tries to read.
    init(in folder: TemporaryFolder, source: String, key: String) throws {
        let library = folder.path + "/intruder.so"
        try Intruder.compile(to: library)
        let tests = URL(fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        let scanner = tests.deletingLastPathComponent().appendingPathComponent("login-kiosk-scanner")
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = [
            "-c", #"exec 3<&0; "$0" --source "$1" <&3 3<&- 9<"$2" & wait; read -r end <&3"#, scanner.path, source,
            folder.path + "/film.y4m",
        ]
        shell.environment = ["LD_PRELOAD": library, "INTRUDER_KEY": key]
        shell.standardInput = commands
        shell.standardOutput = FileHandle.nullDevice
        shell.standardError = complaints
        try shell.run()
        try complaints.fileHandleForWriting.close()
    }

    deinit {
        try? commands.fileHandleForWriting.close()
        if shell.isRunning { kill(parent, SIGKILL) }
        shell.waitUntilExit()
    }

    private static func compile(to library: String) throws {
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../preloaded/intruder.c").standardizedFileURL.path
        let compiling = Process()
        compiling.executableURL = compiler.map { URL(fileURLWithPath: $0) }
        compiling.arguments = ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, source]
        try compiling.run()
        compiling.waitUntilExit()
        guard compiling.terminationStatus == 0 else { throw Unusable.compiler }
    }

    /// Every attempt with its `errno`; 0 for a success.
    func attempts() throws -> [(name: String, code: Int32)] {
        let output = complaints.fileHandleForReading
        var text = ""
        while !text.hasSuffix("end\n") && !text.contains("\nend\n") {
            guard Poll.isReadable(output.fileDescriptor, within: Intruder.patience) else { throw Unusable.silent(text) }
            let data = output.availableData
            guard !data.isEmpty else { throw Unusable.ended(text) }
            text += String(decoding: data, as: UTF8.self)
        }
        return text.split(separator: "\n").compactMap { line in
            guard let space = line.lastIndex(of: " "), let code = Int32(line[line.index(after: space)...]) else {
                return nil
            }
            return (String(line[..<space]), code)
        }
    }

    /// The properties of a file that the attempts would change.
    static func facts(ofFile path: String) throws -> [String] {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw Unusable.missing(path) }
        return [
            "mode \(status.st_mode)", "owner \(status.st_uid):\(status.st_gid)", "links \(status.st_nlink)",
            "read \(status.st_atim.tv_sec)", "written \(status.st_mtim.tv_sec)",
            "changed \(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)",
            "content \(try content(ofFile: path))",
        ]
    }

    /// Reads without changing the access time, which would look like the intruder's work.
    private static func content(ofFile path: String) throws -> [UInt8] {
        // asm-generic/fcntl.h, the same on x86-64 and arm64. The C library's headers hide it from Swift.
        let noAccessTime: Int32 = 0o1000000
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | noAccessTime)
        guard descriptor >= 0 else { throw Unusable.missing(path) }
        return try Array(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readToEnd() ?? Data())
    }

    /// The properties of a process that the attempts would change.
    static func facts(ofProcess process: pid_t) throws -> [String] {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("Cpus_allowed") || $0.hasPrefix("TracerPid") || $0.hasPrefix("SigPnd") }
        return status.map(String.init) + [
            try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8),
            "nice \(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(process)))",
            "policy \(sched_getscheduler(process))",
        ]
    }

    enum Unusable: Error {
        case compiler
        case missing(String)
        /// The output until then.
        case silent(String)
        case ended(String)
    }
}
