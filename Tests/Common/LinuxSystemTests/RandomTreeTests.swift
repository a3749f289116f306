// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

@testable import LinuxSystem

/// Random trees of directories and links. A second implementation must agree.
@Suite struct RandomTreeTests {
    /// Whether `path` leads to a file, and no directory on the way is open to others.
    private static func isSound(_ path: String, links: Int = 40) -> Bool {
        var soFar = ""
        var names = path.split(separator: "/").map(String.init)[...]
        guard isSoundDirectory("/") else { return false }
        while let name = names.popFirst() {
            if name == ".." {
                soFar = (soFar as NSString).deletingLastPathComponent
                if soFar == "/" { soFar = "" }
                continue
            }
            let place = "\(soFar)/\(name)"
            guard let status = status(place) else { return false }
            if status.st_mode & S_IFMT == S_IFLNK {
                guard links > 0, let folder = RandomTreeTests.status(soFar.isEmpty ? "/" : soFar),
                    folder.st_mode & 0o002 == 0 || isOurs(status),
                    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: place)
                else { return false }
                let start = target.hasPrefix("/") ? target : "\(soFar)/\(target)"
                return isSound(([start] + names).joined(separator: "/"), links: links - 1)
            }
            if names.isEmpty {
                return status.st_mode & S_IFMT == S_IFREG && isOurs(status) && status.st_mode & 0o022 == 0
            }
            guard isSoundDirectory(place) else { return false }
            soFar = place
        }
        return false
    }

    private static func isSoundDirectory(_ path: String) -> Bool {
        guard let status = status(path), status.st_mode & S_IFMT == S_IFDIR, isOurs(status) else { return false }
        return status.st_mode & 0o1000 != 0 || status.st_mode & 0o022 == 0
    }

    private static func isOurs(_ status: stat) -> Bool { [0, FileTree.user].contains(status.st_uid) }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status : nil
    }

    @Test func bothChecksAgree() throws {
        var chance = SplitMix64(seed: 42)
        var sound = 0
        for round in 0..<300 {
            let tree = try FileTree()
            let owners = FileTree.mayGiveAway ? [0, FileTree.user, FileTree.user, FileTree.stranger] : [FileTree.user]
            func owner() -> uid_t {
                Bool.random(using: &chance) ? FileTree.user : owners.randomElement(using: &chance)!
            }
            var folders = [""]
            for number in 0..<4 {
                let name = [folders.randomElement(using: &chance)!, "d\(number)"].filter { !$0.isEmpty }
                    .joined(separator: "/")
                let mode: mode_t = [0o755, 0o755, 0o755, 0o700, 0o1777, 0o777].randomElement(using: &chance)!
                try tree.directory(name, mode, owner: owner())
                folders.append(name)
            }
            var paths: [String] = []
            for number in 0..<3 {
                let place = folders.randomElement(using: &chance)!
                let mode: mode_t = [0o644, 0o644, 0o600, 0o666].randomElement(using: &chance)!
                paths.append([place, "f\(number)"].filter { !$0.isEmpty }.joined(separator: "/"))
                try tree.file(paths[paths.count - 1], mode, owner: owner())
            }
            for number in 0..<4 {
                let place = folders.randomElement(using: &chance)!
                let name = [place, "l\(number)"].filter { !$0.isEmpty }.joined(separator: "/")
                let aim = (paths + folders).randomElement(using: &chance)!
                let up = String(repeating: "../", count: place.split(separator: "/").count)
                try tree.link(
                    name, to: Bool.random(using: &chance) ? tree.path(aim) : up.isEmpty && aim.isEmpty ? "." : up + aim,
                    owner: owner())
                paths.append(folders.contains(aim) ? "\(name)/f\(Int.random(in: 0..<3, using: &chance))" : name)
            }
            for path in paths.map(tree.path) {
                let isSound = RandomTreeTests.isSound(path)
                var fault: FileFault?
                do throws(FileFault) { try OwnedFile.check(path, user: FileTree.user) } catch { fault = error }
                #expect((fault == nil) == isSound, "seed 42, round \(round): \(path), \(String(describing: fault))")
                sound += isSound ? 1 : 0
            }
        }
        // Both results are frequent.
        #expect((300...1800).contains(sound), "\(sound)")
    }
}
