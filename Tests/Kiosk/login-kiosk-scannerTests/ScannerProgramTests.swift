// SPDX-License-Identifier: Apache-2.0

import Patience
import Capture
import Foundation
import KioskPorts
import LoginValues
import PictureTestKit
import Testing
@testable import ConfinedProcess
@testable import login_kiosk_scanner

@Suite(.timeLimit(.minutes(10))) struct ScannerProgramTests {
    private func payloads(_ messages: [ScannerMessage]) -> [SecretBytes] {
        messages.compactMap { $0.symbol?.payload }
    }

    private func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }

    /// A folder with a code, in `1.png`.
    private static func folder(_ text: String = "x") throws -> TemporaryFolder {
        let folder = try TemporaryFolder.made()
        try folder.write(QRPicture.encode(text).png(), to: "1.png")
        return folder
    }

    private static let running = ScannerHealth.running(camera: "")

    @Test func aFolderIsReadToItsEnd() throws {
        let folder = try Self.folder("one")
        try folder.write(QRPicture.structured(String(repeating: "part ", count: 40), version: 5)[0].png(), to: "2.png")
        try folder.write(QRPicture.encode("two").png(), to: "3.png")
        try folder.write(QRPicture.encode("one").png(), to: "4.png")
        let (messages, code) = try RunningScanner(source: "dir,rate=1000:\(folder.path)").finish()
        #expect(messages.first == .hello(version: 5, confinesFiles: FileFilter.version != nil))
        #expect(messages.dropFirst().first == .health(.running(camera: "")))
        // The second "one" follows too soon to be reported.
        #expect(payloads(messages) == [secret("one"), secret("two")])
        #expect(messages.last == .health(.ended))
        let statistics = try #require(messages.dropLast().last?.statistics, "there are none before the end")
        #expect(statistics.frames == 4 && statistics.symbols == 3 && statistics.repeats == 1)
        #expect(code == 0)
    }

    /// The scanner reports pictures once one has come.
    @Test func aFilmWithoutAWriterIsTold() throws {
        let folder = try TemporaryFolder.made()
        let pipe = folder.path + "/film"
        let status = unsafe mkfifo(pipe, 0o600)
        try #require(status == 0)
        let scanner = try RunningScanner(source: "y4m:\(pipe)")
        let trouble = try #require(try scanner.wait { $0.waiting != nil || $0 == .health(Self.running) }.waiting)
        #expect(trouble.kind == .silent && trouble.reason.contains("start the program that films"))
        let writer = try #require(FileHandle(forWritingAtPath: pipe))
        try writer.write(contentsOf: Array("YUV4MPEG2 W8 H8 Cmono\nFRAME\n".utf8) + [UInt8](repeating: 9, count: 64))
        try scanner.wait(for: Self.running)
        #expect(try scanner.stop() == 0)
    }

    /// A page of labels, as for a shelf.
    @Test func aPageOfCodesIsReadWhole() throws {
        let codes = (0..<140).map { QRPicture.encode("label \(1000 + $0)", scale: 3) }
        let side = codes.reduce(0) { max($0, $1.width) }
        var page = Picture(width: 14 * side, height: 10 * side, shade: 255)
        for (index, code) in codes.enumerated() { page.draw(code, x: index % 14 * side, y: index / 14 * side) }
        let folder = try TemporaryFolder.made()
        let path = try folder.write(page.png(), to: "page.png")
        let (messages, _) = try RunningScanner(source: path).finish()
        let read = payloads(messages)
        #expect(read.count == 140)
        for number in 1000..<1140 { #expect(read.contains(secret("label \(number)")), "\(number)") }
    }

    @Test func aBrokenSourceIsNamed() throws {
        let (messages, code) = try RunningScanner(source: "/nowhere/at/all.png").finish()
        let trouble = try #require(messages.last?.failure)
        #expect(trouble.kind == .missing && trouble.reason.contains("/nowhere/at/all.png"))
        #expect(messages.count == 2)
        #expect(code == 1)
    }

    @Test func itPausesResumesAndStops() throws {
        let folder = try Self.folder("again")
        let scanner = try RunningScanner(source: "file,loop,rate=1000:\(folder.path)/1.png")
        _ = try scanner.wait { $0.symbol != nil }
        try scanner.send(.pause, until: .paused)
        // A paused scanner sends only signs of life.
        #expect(try scanner.next()?.statistics != nil)
        try scanner.send(.resume, until: Self.running)
        // At once, although the code was reported before the pause.
        #expect(try scanner.wait { $0.statistics == nil }.symbol?.payload == secret("again"))
        #expect(try scanner.stop() == 0)
    }

    /// A frame of 4:3 with a white upper half. The preview has black margins.
    @Test func itSendsPreviewsWhileTheyAreWanted() throws {
        let folder = try TemporaryFolder.made()
        let rows = [UInt8](repeating: 255, count: 640 * 240) + [UInt8](repeating: 100, count: 640 * 240)
        let path = try folder.write(Picture(width: 640, height: 480, pixels: rows).png(), to: "1.png")
        let scanner = try RunningScanner(source: "file,loop,rate=100:\(path)")
        try scanner.wait(for: Self.running)
        try scanner.send(.startPreviews)
        guard case .preview(let picture) = try scanner.wait(for: \.isPreview) else { return }
        for (row, wanted) in [(0, UInt8(255)), (88, 255), (91, 100), (179, 100)] {
            let line = picture.luma[(row * 320)..<(row * 320 + 320)]
            #expect(Array(line) == (0..<320).map { (40..<280).contains($0) ? wanted : 0 }, "row \(row)")
        }
        try scanner.send(.stopPreviews)
        try scanner.send(.pause, until: .paused)
        try scanner.send(.resume, until: Self.running)
        for _ in 0..<3 { #expect(try scanner.next()?.isPreview == false, "nobody wanted it") }
        #expect(try scanner.stop() == 0)
    }

    @Test func startedInAPauseItOpensNothingUntilToldTo() throws {
        let folder = try TemporaryFolder.made()
        let scanner = try RunningScanner(source: "file,loop:\(folder.path)/later.png", "--paused")
        try scanner.wait(for: .paused)
        #expect(try scanner.next()?.statistics != nil)
        try scanner.send(.resume)
        #expect(try scanner.wait { $0.statistics == nil }.failure?.kind == .missing)
    }

    @Test(arguments: [
        ["--source", "a"], ["--source", "a", "--give-back", "1:2:0,3:-4:2"], ["--source", "a", "--known", "b"],
        ["--paused", "--known", "b", "--source", "a"],
    ])
    func itsArguments(words: [String]) throws {
        let arguments = try #require(ScannerArguments(words))
        #expect(arguments.source == "a" && arguments.known == (words.contains("b") ? "b" : nil))
        #expect(arguments.isPaused == words.contains("--paused"))
        let owed = [
            ControlSetting(id: 1, value: 2, kind: .chosenAgain), ControlSetting(id: 3, value: -4, kind: .regulation),
        ]
        #expect(arguments.owed == (words.contains("--give-back") ? owed : []))
    }

    @Test(arguments: [
        [], ["--source"], ["--source", "a", "b"], ["--known", "b"], ["--source", "a", "--known"],
        ["--source", "a", "--give-back"], ["--source", "a", "--give-back", "1:2"],
    ])
    func whatItDoesNotTake(words: [String]) { #expect(ScannerArguments(words) == nil) }

    @Test func itLeavesWithItsParentAndWhenTheParentSpeaksNonsense() throws {
        let folder = try Self.folder()
        let orphan = try RunningScanner(source: "file,loop:\(folder.path)/1.png")
        try orphan.wait(for: Self.running)
        try orphan.closeCommands()
        #expect(try orphan.finish().code == EX_IOERR)
        let confused = try RunningScanner(source: "file,loop:\(folder.path)/1.png")
        // An unknown command is skipped. An invalid length is an error.
        try confused.send(bytes: [2, 0, 0, 0, 200, 1] + ScannerCommand.pause.encoded())
        try confused.wait(for: .paused)
        try confused.send(bytes: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(try confused.finish().code == EX_IOERR)
    }

    /// As after the kiosk was killed, while another of its children has inherited the pipes' other ends.
    @Test(arguments: [false, true])
    func itLeavesWhenItsParentIsKilledAlthoughThePipesStayOpen(isPaused: Bool) throws {
        let folder = try Self.folder()
        let orphan = try RunningScanner(source: "dir,loop:\(folder.path)", hasShell: true)
        try orphan.wait(for: Self.running)
        if isPaused {
            try orphan.send(.pause, until: .paused)
        }
        kill(orphan.process.processIdentifier, SIGKILL)
        // The pipe for messages ends with the last process that has it open.
        while try orphan.next() != nil {}
    }

    /// A picture that takes seconds of processor time is not searched to its end for nobody.
    @Test func aBusyScannerLeavesWhenItsParentIsKilled() throws {
        let folder = try TemporaryFolder.made()
        let strip = Picture.noise(width: 8192, height: 8, seed: 3)
        let rows = (0..<1000).flatMap { _ in strip.pixels }
        try folder.write(Picture(width: 8192, height: 8000, pixels: rows).png(), to: "1.png")
        let complaints = Pipe()
        let orphan = try RunningScanner(
            source: "dir,loop:\(folder.path)", hasShell: true,
            complaints: "/proc/self/fd/\(complaints.fileHandleForWriting.fileDescriptor)")
        try complaints.fileHandleForWriting.close()
        _ = try orphan.wait(for: \.isHello)
        kill(orphan.process.processIdentifier, SIGKILL)
        while try orphan.next() != nil {}
        let complaint = String(decoding: complaints.fileHandleForReading.availableData, as: UTF8.self)
        #expect(complaint.contains("a frame took too much processor time"), "\(complaint)")
    }

    /// The scanner's limit on file sizes must not end it by a signal.
    @Test func aComplaintToAFileIsLostAndNothingElse() throws {
        let folder = try TemporaryFolder.made()
        let path = try folder.write([], to: "log")
        let scanner = try RunningScanner(source: "a", "b", complaints: path)
        #expect(try scanner.finish().code == EX_USAGE)
        #expect(scanner.process.terminationReason == .exit)
    }

    /// A symbolic link in the folder acts like a taken-over decoder: it leads to a file that the process must not
    /// read.
    @Test(.enabled(if: FileFilter.version != nil, "this kernel has no Landlock"), arguments: ["store.sqlite", "key"])
    func itCannotReadWhatIsNotItsSource(name: String) throws {
        let folder = try TemporaryFolder.made()
        let kiosk = try TemporaryFolder.made()
        let secret = try kiosk.write(QRPicture.encode("secret").png(), to: name)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/1.png", withDestinationPath: secret)
        let (messages, code) = try RunningScanner(source: "dir:\(folder.path)").finish()
        let trouble = try #require(messages.last?.failure, "\(messages)")
        #expect(trouble.kind == .broken && trouble.reason.contains("Permission denied"), "\(trouble)")
        #expect(code == 1)
        // A scanner that is told to read it can read it.
        #expect(payloads(try RunningScanner(source: "file:\(secret)").finish().messages) == [self.secret("secret")])
    }

    /// Without a camera it waits, reports so, and obeys commands. The service manager signals it with its parent; where a
    /// camera may be filmed it ends in its own time, because the exposure is given back first.
    @Test func aCameraThatIsNotThereIsWaitedFor() throws {
        let scanner = try RunningScanner(source: "camera:no such camera")
        let trouble = try #require(try scanner.wait { $0.waiting != nil || $0 == .health(Self.running) }.waiting)
        #expect(trouble.kind == .missing && trouble.reason.contains("plug the camera in"))
        try scanner.send(.pause, until: .paused)
        try scanner.send(.resume, until: .waiting(trouble))
        _ = try scanner.wait { $0.statistics != nil }
        kill(scanner.process.processIdentifier, SIGTERM)
        #expect(try scanner.finish().code == 0)
        #expect(scanner.process.terminationReason == .exit)
    }

    @Test func itIsConfinedBeforeItReadsItsFirstFrame() throws {
        let folder = try Self.folder()
        let scanner = try RunningScanner(source: "file,loop:\(folder.path)/1.png")
        // The first message comes after the confinement and before the source is opened.
        #expect(try scanner.next()?.isHello == true)
        let place = "/proc/\(scanner.process.processIdentifier)"
        let status = try String(contentsOfFile: place + "/status", encoding: .utf8)
        #expect(status.contains("NoNewPrivs:\t1\n"))
        #expect(status.contains("Seccomp:\t2\n"))
        let limits = try String(contentsOfFile: place + "/limits", encoding: .utf8)
            .split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(limits.contains("Max core file size 0 0 bytes"))
        #expect(limits.contains("Max file size 0 0 bytes"))
        #expect(limits.contains("Max address space 1073741824 1073741824 bytes"))
        #expect(limits.contains("Max open files 64 64 files"))
        #expect(try scanner.stop() == 0)
    }
}
