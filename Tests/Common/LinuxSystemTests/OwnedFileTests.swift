// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

@testable import LinuxSystem

/// Checks of real file trees.
@Suite struct OwnedFileTests {
    struct Case: CustomTestStringConvertible, Sendable {
        enum Fault: Sendable {
            case changeable, readable, foreign
            case of(FileFault.Cause)

            func matches(_ cause: FileFault.Cause) -> Bool {
                switch (self, cause) {
                case (.changeable, .changeable), (.readable, .readable): true
                case (.foreign, _): cause == .foreignOwner(FileTree.stranger, user: FileTree.user)
                case (.of(let expected), _): cause == expected
                default: false
                }
            }
        }

        let testDescription: String
        let make: @Sendable (FileTree) throws -> Void
        var need = OwnedFile.Need.unaltered
        /// The fault and its place in the tree; nil for none.
        var fault: (cause: Fault, place: String)?

        init(
            _ description: String, _ need: OwnedFile.Need = .unaltered, _ fault: Fault? = nil, at place: String = "d/f",
            make: @escaping @Sendable (FileTree) throws -> Void
        ) {
            (testDescription, self.need, self.fault, self.make) = (description, need, fault.map { ($0, place) }, make)
        }

        /// A file `f` in a directory `d`.
        init(
            _ description: String, d directory: mode_t = 0o755, of owner: uid_t = FileTree.user, f file: mode_t = 0o644,
            ofFile fileOwner: uid_t = FileTree.user, _ need: OwnedFile.Need = .unaltered, _ fault: Fault? = nil,
            at place: String = "d/f"
        ) {
            self.init(description, need, fault, at: place) {
                try $0.directory("d", directory, owner: owner)
                try $0.file("d/f", file, owner: fileOwner)
            }
        }
    }

    /// Each checks `d/f`.
    static let cases: [Case] = [
        Case("ours"), Case("ours and hidden", f: 0o600, .secret), Case("ours, not to be written", f: 0o400),
        Case("below a sticky directory", d: 0o1777),
        Case("everybody may write it", f: 0o666, .unaltered, .changeable),
        Case("everybody may write its directory", d: 0o777, .unaltered, .changeable, at: "d"),
        Case("everybody may write a directory far above", .unaltered, .changeable, at: "real") {
            try $0.directory("real/deep/e")
            try $0.file("real/deep/e/f")
            $0.give("real", mode: 0o777)
            try $0.link("d", to: "real/deep/e")
        },
        Case(
            "a link leads through a directory that everybody may write, and back", .unaltered, .changeable, at: "open"
        ) {
            try $0.directory("own")
            try $0.file("own/f")
            try $0.directory("open", 0o777)
            try $0.link("open/detour", to: "../own")
            try $0.link("d", to: "open/detour")
        },
        Case("an absolute link to what is ours") {
            try $0.directory("own")
            try $0.file("own/f")
            try $0.link("d", to: $0.path("own"))
        },
        Case("others may read a secret", f: 0o644, .secret, .readable),
        Case("a group may read a secret", f: 0o640, .secret, .readable),
        Case("a directory in its place", .secret, .of(.wrongKind(.directory, expected: .file))) {
            try $0.directory("d/f")
        },
        Case("a pipe in its place", .unaltered, .of(.wrongKind(.pipe, expected: .file))) {
            try $0.directory("d")
            _ = unsafe mkfifo($0.path("d/f"), 0o600)
            $0.give("d/f", mode: 0o600)
        },
        Case("a file as its directory", .unaltered, .of(.wrongKind(.file, expected: .directory)), at: "d") {
            try $0.file("d")
        },
        Case("nothing", .unaltered, .of(.missing)) { try $0.directory("d") },
        Case("a link to nothing", .unaltered, .of(.danglingLink(target: "gone"))) {
            try $0.directory("d")
            try $0.link("d/f", to: "gone")
        },
        Case("a directory that is a link to nothing", .unaltered, .of(.danglingLink(target: "gone/far")), at: "d") {
            try $0.link("d", to: "gone/far")
        },
        Case("a circle of links", .unaltered, .of(.tooManyLinks), at: "d") {
            try $0.link("d", to: "e")
            try $0.link("e", to: "d")
        },
    ]

    /// Trees that only root can make: files of two owners, and of a shared group.
    static let casesOfTwoOwners: [Case] = [
        Case("a group may write it", f: 0o664, .unaltered, .changeable),
        Case("a group may write its directory", d: 0o775, .unaltered, .changeable, at: "d"),
        Case("a stranger's file", ofFile: FileTree.stranger, .unaltered, .foreign),
        Case("a stranger's directory", of: FileTree.stranger, .unaltered, .foreign, at: "d"),
        Case(
            "a stranger's file below a sticky directory", d: 0o1777, ofFile: FileTree.stranger, .unaltered, .foreign),
        Case("a stranger's sticky directory", d: 0o1777, of: FileTree.stranger, .unaltered, .foreign, at: "d"),
        Case("a stranger's link in a sticky directory, to what is ours", .unaltered, .foreign) {
            try $0.directory("d", 0o1777, owner: 0)
            try $0.file("own")
            try $0.link("d/f", to: "../own", owner: FileTree.stranger)
        },
        Case("root's", of: 0, ofFile: 0),
        Case("root's, for a service's group", .secret) {
            try $0.directory("d", 0o750, owner: 0)
            try $0.file("d/f", 0o640, owner: 0)
            $0.give("d/f", owner: 0, group: FileTree.user, mode: 0o640)
        },
        Case("root's, and everybody may read it", of: 0, ofFile: 0, .secret, .readable),
    ]

    @Test(arguments: cases + (FileTree.mayGiveAway ? casesOfTwoOwners : []))
    func ownerAndMode(_ what: Case) throws {
        let tree = try FileTree()
        try what.make(tree)
        let path = tree.path("d/f")
        do throws(FileFault) {
            let content = try OwnedFile.read(path, what.need, upTo: 100, user: FileTree.user)
            #expect(what.fault == nil && String(decoding: content, as: UTF8.self) == "content")
            try OwnedFile.check(path, what.need, user: FileTree.user)
        } catch {
            #expect(what.fault?.cause.matches(error.cause) == true, "\(error)")
            #expect(error.path == path && error.place == what.fault.map { tree.path($0.place) }, "\(error)")
            #expect(error.description.hasPrefix(path) && error.hint.isEmpty == false)
            // Checking without reading gives the same result.
            #expect(throws: error) { try OwnedFile.check(path, what.need, user: FileTree.user) }
        }
    }

    @Test func aMistakeSaysHowToMendIt() throws {
        let tree = try FileTree()
        try tree.directory("d", 0o777)
        try tree.file("d/f")
        let error = #expect(throws: FileFault.self) { try OwnedFile.check(tree.path("d/f"), user: FileTree.user) }
        #expect(
            error?.description == "\(tree.path("d/f")): \(tree.path("d")) can be changed by other users (mode 0777)")
        #expect(error?.hint.hasSuffix("chmod go-w \(tree.path("d"))") == true && error?.isExposure == true)
        let stranger = #expect(throws: FileFault.self) {
            try OwnedFile.check(tree.path("d/f"), user: FileTree.stranger)
        }
        let hint = stranger?.hint(isRoot: true)
        #expect(hint?.contains("chown \(FileTree.stranger) ") == true, "\(String(describing: stranger))")
    }

    @Test func nobodyIsToldToTakeTheFilesOfAService() {
        let file = FileFault(.foreignOwner(4711, user: 4712), path: "/srv/kiosk")
        #expect(file.hint(isRoot: true).hasSuffix("chown 4712 /srv/kiosk"))
        #expect(file.hint(isRoot: false) == "run it as that user, sudo -u 4711 COMMAND, or name a file of your own")
        let service = FileFault(.foreignOwner(998, user: 4712), path: "/var/lib/login-kiosk")
        #expect([true, false].allSatisfy { !service.hint(isRoot: $0).contains("chown") })
        #expect(FileFault(.refused(EACCES), path: "/etc/login-kiosk").hint.hasPrefix("run it with sudo, "))
    }

    @Test func aPathFromTheWorkingDirectory() throws {
        let tree = try FileTree()
        try tree.file("f")
        let directory = FileManager.default.currentDirectoryPath
        let up = String(repeating: "../", count: directory.split(separator: "/").count)
        #expect(try OwnedFile.read(up + tree.path("f").dropFirst(), upTo: 100, user: FileTree.user).count == 7)
        #expect(throws: FileFault.self) { try OwnedFile.check("", user: FileTree.user) }
    }

    /// As for the kernel, `.` is in a directory alone.
    @Test func aFileIsNoDirectoryWithADotBehindIt() throws {
        let tree = try FileTree()
        try tree.file("f")
        let fault = #expect(throws: FileFault.self) { try OwnedFile.check(tree.path("f/."), user: FileTree.user) }
        #expect(fault?.cause == .wrongKind(.file, expected: .directory))
    }

    @Test func groupsOfOneUser() {
        let accounts = LocalAccounts(
            passwd: "root:x:0:0:::\nann:x:7:7:::\nbob:x:8:8:::\ncid:x:9:8:::\nbroken\n",
            group: "root:x:0:\nann:x:7:ann\nbob:x:8:\nstaff:x:50:ann,bob\nempty:x:60:\nmine:x:70:ann\n")
        #expect(accounts.isPrivate(group: 7, of: 7) && accounts.isPrivate(group: 0, of: 0))
        // Another user's own group; several members; none; a user with a different own group; unknown.
        for group: UInt32 in [8, 50, 60, 70, 99] { #expect(!accounts.isPrivate(group: group, of: 7), "\(group)") }
        #expect(!accounts.isPrivate(group: 8, of: 8))
        #expect(!LocalAccounts(passwd: "ann:x:7:7\n+::::::\n", group: "ann:x:7:\n").isPrivate(group: 7, of: 7))
        #expect(LocalAccounts.label(0) == "root" && LocalAccounts.label(FileTree.stranger).isEmpty == false)
    }

    @Test("A damaged account list makes no group private")
    func damagedAccounts() {
        let passwd = Array("root:x:0:0:::\nann:x:7:7:::\nbob:x:8:8:::\n".utf8)
        let group = Array("root:x:0:\nann:x:7:ann\nstaff:x:50:ann,bob\n".utf8)
        var chance = SplitMix64(seed: 11)
        for round in 0..<2000 {
            func damaged(_ bytes: [UInt8]) -> String {
                var bytes = bytes
                for _ in 0..<4 {
                    bytes[Int.random(in: 0..<bytes.count, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
                }
                return String(decoding: bytes.prefix(Int.random(in: 0...bytes.count, using: &chance)), as: UTF8.self)
            }
            let accounts = LocalAccounts(passwd: damaged(passwd), group: damaged(group))
            for owner: UInt32 in [0, 7, 8] {
                #expect(!accounts.isPrivate(group: 4_000_000, of: owner), "seed 11, round \(round)")
                // It is no user's own group, whoever its members are.
                #expect(!accounts.isPrivate(group: 1050, of: owner), "seed 11, round \(round)")
            }
        }
    }
}
