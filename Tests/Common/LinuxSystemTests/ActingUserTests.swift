// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

@testable import LinuxSystem

/// Root acts as a user when it handles that user's files.
@Suite("A process that acts as another user", .serialized)
struct ActingUserTests {
    private static let variable = "LOGIN_KIOSK_TEST_ACTING"
    /// All threads change their user, so no other test may run in this process.
    private static let isAlone = ProcessInfo.processInfo.environment[variable] != nil
    private let user = ActingUser(user: 4711, group: 4712)
    private let folder = FileManager.default.temporaryDirectory.appending(path: "acting-\(UUID().uuidString)").path()

    private struct Refused: Error {}

    @Test func itselfNeedsNoRight() throws {
        #expect(try ActingUser.current.act { geteuid() } == geteuid())
        #expect(ActingUser.owner(of: "/proc/self/nothing") == nil)
        #expect(ActingUser.owner(of: "/proc/1")?.user == 0)
    }

    @Test(.enabled(if: geteuid() == 0 && !isAlone, "needs the right to become others"))
    func asOthers() throws {
        let child = Process()
        child.executableURL = URL(filePath: "/proc/self/exe")
        child.arguments = ["--testing-library", "swift-testing", "--no-parallel", "--filter", "ActingUserTests"]
        child.environment = ProcessInfo.processInfo.environment.merging([Self.variable: "1"]) { $1 }
        child.standardOutput = FileHandle.nullDevice
        child.standardError = FileHandle.nullDevice
        try child.run()
        child.waitUntilExit()
        #expect(child.terminationStatus == 0, "see it: \(Self.variable)=1")
    }

    @Test(.enabled(if: isAlone, "is in the child of another test"))
    func goesThereAndBack() throws {
        let groups = getgroups(0, nil)
        #expect(try user.act { [geteuid(), getegid()] } == [4711, 4712])
        #expect(try user.act { getgroups(0, nil) } == 1)
        #expect(throws: Refused.self) { try user.act { throw Refused() } }
        #expect(geteuid() == 0 && getegid() == 0 && getgroups(0, nil) == groups)
    }

    @Test("A user's symbolic link leads root nowhere", .enabled(if: isAlone, "is in the child of another test"))
    func links() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let theirs = "\(folder)/theirs"
        try FileManager.default.createDirectory(atPath: theirs, withIntermediateDirectories: true)
        for path in [folder, theirs] { #expect(unsafe chmod(path, 0o755) == 0) }
        #expect(unsafe chown(theirs, user.user, user.group) == 0)
        try Data("root's".utf8).write(to: URL(filePath: "\(folder)/secret"))
        #expect(unsafe chmod("\(folder)/secret", 0o600) == 0)
        try user.act {
            for name in ["secret", "new"] {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(theirs)/\(name)", withDestinationPath: "\(folder)/\(name)")
                #expect(throws: FileFault.self) { try OwnedFile.replace("\(theirs)/\(name)", with: [1]) }
            }
            try OwnedFile.replace("\(theirs)/own", with: [1])
            #expect(try OwnedFile.move("\(theirs)/own", to: "\(theirs)/moved"))
            #expect(try !OwnedFile.move("\(theirs)/own", to: "\(theirs)/moved"))
            #expect(throws: FileFault.self) { try OwnedFile.move("\(theirs)/moved", to: "\(folder)/moved") }
            try OwnedFile.remove("\(theirs)/moved")
            try OwnedFile.remove("\(theirs)/moved")
        }
        // They exchange the directory of their lock before root releases it.
        let lock = try user.act { try FileLock("\(theirs)/own") }
        let away = "\(folder)/away"
        try FileManager.default.moveItem(atPath: theirs, toPath: away)
        try FileManager.default.linkItem(atPath: "\(away)/.own.lock", toPath: "\(folder)/.own.lock")
        try FileManager.default.createSymbolicLink(atPath: theirs, withDestinationPath: folder)
        lock.release()
        try FileManager.default.removeItem(atPath: "\(folder)/.own.lock")
        #expect(try FileManager.default.contentsOfDirectory(atPath: away).sorted() == ["new", "secret"])
        #expect(try String(contentsOfFile: "\(folder)/secret", encoding: .utf8) == "root's")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["away", "secret", "theirs"])
    }
}
