// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
import Testing

@testable import AuditTrail

/// Foreign files in the audit log's place.
@Suite struct ForeignFileTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func fault() async -> AuditFault? {
        let trail = scratch.trail()
        await trail.open()
        #expect(trail.progress.number == nil)
        return trail.progress.fault
    }

    @Test("An unreadable directory differs from one without an audit log")
    func noRecordAndNoSight() throws {
        #expect(try AuditReader(in: scratch.path).paths() == [])
        #expect(try AuditReader(in: scratch.file("missing")).paths() == [])
        try scratch.write([], "file")
        let place = scratch.file("file")
        #expect(throws: FileFault(.refused(ENOTDIR), path: place)) { try AuditReader(in: place).paths() }
    }

    @Test(arguments: ["/nowhere/at-all", "target"]) func aLinkIsNotFollowed(_ target: String) async throws {
        try scratch.write(Array("mine\n".utf8), "target")
        try FileManager.default.createSymbolicLink(atPath: scratch.file(), withDestinationPath: target)
        let fault = await fault()
        #expect(fault == .file(FileFault(.wrongKind(.link, expected: .file), path: scratch.file())))
        #expect(try scratch.lines("target") == ["mine"])
    }

    @Test func aPipeIsNotWaitedFor() async throws {
        #expect(unsafe mkfifo(scratch.file(), 0o600) == 0)
        #expect(await fault() == .file(FileFault(.wrongKind(.pipe, expected: .file), path: scratch.file())))
    }

    @Test func aDirectoryOfOtherUsersIsRefused() async throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: scratch.path)
        guard case .file(let fault) = await fault() else { return #expect(Bool(false), "it was taken") }
        #expect(fault.isExposure)
        #expect(try scratch.names == [])
    }

    @Test func aFileThatOtherUsersMayChangeIsRefused() async throws {
        try scratch.write([])
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: scratch.file())
        guard case .file(let fault) = await fault() else { return #expect(Bool(false), "it was taken") }
        #expect(fault.isExposure && fault.hint.contains("chmod go-w"))
    }

    @Test func whatIsNoRecordIsKeptAsideAndTheVerifierSaysSo() async throws {
        let foreign = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
        try scratch.write(foreign)
        await scratch.append("a")
        #expect(try scratch.bytes(AuditFiles.name + ".1") == foreign)
        #expect(try scratch.entries().map(\.who) == ["a"])
        let report = try scratch.verify()
        #expect(report.breaches > 0)
        // There was an earlier record. Its end is missing, and the new one cannot follow it.
        let other = try Scratch()
        await other.append("a")
        try FileManager.default.moveItem(atPath: other.file(), toPath: other.file(AuditFiles.name + ".1"))
        try other.write(foreign)
        await other.append("b")
        #expect(try other.verify().findings.contains { $0.kind == .startsAgain && $0.file == other.file() })
    }

    /// A file of 10 GB, mostly holes, with an audit log at its end.
    @Test func aHugeFileIsNotReadToItsBeginning() async throws {
        await scratch.append("a")
        let record = try scratch.bytes()
        let file = try FileHandle(forWritingTo: URL(filePath: scratch.file()))
        try file.truncate(atOffset: 0)
        try file.seek(toOffset: 10 << 30)
        try file.write(contentsOf: Data([UInt8(ascii: "\n")] + record))
        try file.close()
        let trail = scratch.trail()
        await trail.append(.login("b"))
        #expect(trail.progress.number == 4 && trail.progress.fault == nil)
        #expect(try scratch.files == [AuditFiles.name, AuditFiles.name + ".1"])
        #expect(try scratch.lines().count == 2)
        try FileManager.default.removeItem(atPath: scratch.file(AuditFiles.name + ".1"))
        #expect(try scratch.verify().findings == [])
    }

    @Test func aLineWithoutEndTakesNoMemory() throws {
        var splitter = LineSplitter(file: "f"), seen: [AuditReader.Line] = []
        let piece = [UInt8](repeating: 0, count: 64 * 1024)
        for _ in 0..<200 { try splitter.take(piece[...]) { seen.append($0) } }
        try splitter.finish { seen.append($0) }
        #expect(seen.count == 1 && seen[0].bytes.count == AuditRecord.longestLine)
        #expect(seen[0].omitted == 200 * 64 * 1024 - AuditRecord.longestLine)
        var verifier = AuditVerifier()
        seen.forEach { verifier.check($0) }
        verifier.finish()
        #expect(verifier.findings.map(\.kind) == [.unreadable])
    }
}
