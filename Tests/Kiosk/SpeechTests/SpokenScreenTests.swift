// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KioskPorts
import KioskTestKit
import Patience
import Signage
import Synchronization
import Testing
@testable import Speech

/// The child process, by programs in place of `espeak-ng`, and by `espeak-ng` itself.
@Suite("Speech in a process of its own", .serialized, .timeLimit(.minutes(10)))
final class SpokenScreenTests: Sendable {
    private let folder: String
    private let faults = Mutex<[String]>([])

    init() throws {
        // As the kiosk does.
        signal(SIGPIPE, SIG_IGN)
        folder = FileManager.default.temporaryDirectory.appending(path: "speech-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Speaks by a program for `/bin/sh`, which notes the process ids of all its runs.
    private func speak(
        _ script: String, device: String? = nil, clock: some Clock<Duration> = ContinuousClock(),
        _ body: (SpokenScreen) async throws -> Void
    ) async throws {
        let path = "\(folder)/espeak-ng"
        let text = "#!/bin/sh\ncd '\(folder)'\necho $$ >> numbers\n\(script)\n"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        try await speak(by: path, device: device, clock: clock, body)
    }

    private func speak(
        by program: String?, device: String? = nil, clock: some Clock<Duration> = ContinuousClock(),
        _ body: (SpokenScreen) async throws -> Void
    ) async throws {
        let screen = SpokenScreen(
            languages: .standard, output: .headphones, device: device, clock: clock, find: { program }
        ) { fault in
            self.faults.withLock { $0.append(fault?.description ?? "works") }
        }
        let running = Task { await screen.run() }
        do { try await body(screen) } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        await running.value
        // The end of the kiosk is the end of its voice.
        for number in numbers { #expect(kill(number, 0) != 0, "\(number)") }
    }

    private var numbers: [pid_t] { lines("numbers").compactMap { pid_t($0) } }

    private func lines(_ name: String) -> [String] {
        let text = (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    private func waits(for condition: () -> Bool) async -> Bool {
        (try? await Patience.wait { condition() ? true : nil }) ?? false
    }

    private static func view(_ service: String, in language: String = "en", repeats: Int = 0) -> KioskView {
        var view = KioskView(.consent, .ask, title: Prompt(.consentService, [.service: service]))
        view.speech = SpeechRequest()
        view.speech?.repeats = repeats
        view.languageTurn = Languages.standard.tags.firstIndex(of: language) ?? 0
        return view
    }

    @Test func textComesByTheStandardInputAlone() async throws {
        let script = #"{ printf '<%s>' "$@"; echo; env | sort; pwd; cat; echo; } >> out; echo done >> out"#
        try await speak(script, device: "plughw:1") { screen in
            await screen.show(Self.view("-w $HOME `id` 'x'", in: "de"))
            #expect(await waits { lines("out").last == "done" })
        }
        #expect(lines("out").first == "<-v><de><-a><100><-s><150><-b><1><--stdin><-d><plughw:1>")
        #expect(lines("out").contains("Dienst: Bindestrich w Zeichen HOME Zeichen id Zeichen x."))
        // The shell itself adds these.
        let variables = lines("out").filter { $0.contains("=") && !$0.hasPrefix("<") }
            .compactMap { $0.split(separator: "=").first.map(String.init) }
        #expect(Set(variables).isSubset(of: ["PWD", "OLDPWD", "SHLVL", "_"]), "the shell's own: \(variables)")
        #expect(faults.withLock(\.self) == [])
    }

    @Test func aNewViewEndsWhatIsSpoken() async throws {
        // A line is written at once: the next view ends the program as soon as it can be read.
        try await speak(#"printf '%s\n' "$(cat)" >> out; exec sleep 600"#) { screen in
            for service in ["One", "Two", "Three"] {
                await screen.show(Self.view(service))
                #expect(await waits { lines("out").last == "Service: \(service)." })
            }
            #expect(await waits { numbers.count { kill($0, 0) == 0 } == 1 })
        }
        #expect(faults.withLock(\.self) == [], "an interruption is no fault")
    }

    /// Speech that ends by a key or with the session says so after the outcome.
    @Test func theLastWordWaits() async throws {
        try await speak(#"printf '%s\n' "$(cat)" >> out; while [ ! -e go ]; do sleep 0.05; done; echo end >> out"#) {
            screen in
            await screen.show(Self.view("One"))
            #expect(await waits { !lines("out").isEmpty })
            var view = Self.view("One")
            view.speech = nil
            await screen.show(view)
            try Data().write(to: URL(filePath: "\(folder)/go"))
            #expect(await waits { lines("out").count == 4 })
        }
        #expect(lines("out") == ["Service: One.", "end", "Speech is off. 5 switches it on.", "end"])
    }

    @Test func aFloodIsOneProcessAtATime() async throws {
        let script = """
            for number in $(cat numbers); do
                if [ $number != $$ ] && kill -0 $number 2> /dev/null; then echo two >> twice; fi
            done
            cat > last
            exec sleep 600
            """
        try await speak(script) { screen in
            for number in 1...500 { await screen.show(Self.view("\(number)")) }
            #expect(await waits { lines("last") == ["Service: 500."] })
        }
        #expect(lines("twice") == [])
    }

    /// It neither reads nor ends by a polite signal.
    @Test func aProgramThatHangsIsKilled() async throws {
        let clock = ManualClock()
        try await speak("trap '' TERM; echo up >> out; while :; do sleep 0.1; done", clock: clock) { screen in
            await screen.show(Self.view("One"))
            #expect(await waits { lines("out").count == 1 })
            await screen.show(Self.view("Two"))
            #expect(await waits { lines("out").count == 2 })
            let first = try #require(numbers.first)
            #expect(kill(first, 0) != 0)
            await clock.waitForSleepers()
            clock.advance(by: SpeechProgram.limit)
            #expect(await waits { faults.withLock { !$0.isEmpty } })
        }
        #expect(faults.withLock(\.self).count == 1 && faults.withLock { $0[0].contains("was ended") })
    }

    @Test(arguments: ["exit 3", "kill -SEGV $$", "echo 'error: No device' >&2"])
    func aProgramThatFailsIsReportedOnceAndTriedAgain(script: String) async throws {
        try await speak("echo up >> out; cat > said; [ -e well ] || { \(script); }") { screen in
            for number in 1...2 {
                await screen.show(Self.view("One", repeats: number))
                #expect(await waits { lines("out").count == number && numbers.allSatisfy { kill($0, 0) != 0 } })
                #expect(await waits { faults.withLock { !$0.isEmpty } })
            }
            try Data().write(to: URL(filePath: "\(folder)/well"))
            await screen.show(Self.view("Two"))
            #expect(await waits { faults.withLock { $0.last == "works" } })
        }
        #expect(faults.withLock(\.self).count == 2, "\(faults.withLock(\.self))")
    }

    @Test func aMissingProgramIsReportedAtOnce() async throws {
        try await speak(by: nil) { screen in
            #expect(await waits { faults.withLock(\.self) == ["espeak-ng is not installed"] })
            await screen.show(Self.view("One"))
        }
        #expect(faults.withLock(\.count) == 1)
    }

    static let installed = ["/usr/bin/espeak-ng"].first(where: FileManager.default.isExecutableFile)

    /// The voices are there, and what they say is sound.
    @Test(.enabled(if: installed != nil), arguments: Languages.standard.tags)
    func espeakSpeaks(language: String) async throws {
        let program = try #require(Self.installed)
        try await speak("\(program) \"$@\" -w sound.wav && touch spoken") { screen in
            await screen.show(Self.view("Example Shop", in: language))
            #expect(await waits { FileManager.default.fileExists(atPath: "\(folder)/spoken") })
        }
        let sound = try Data(contentsOf: URL(filePath: "\(folder)/sound.wav")).dropFirst(44)
        // 16 bits a sample, 22,050 samples a second.
        let loud = stride(from: sound.startIndex, to: sound.endIndex - 1, by: 2).count { index in
            abs(Int(Int16(bitPattern: UInt16(sound[index]) | UInt16(sound[index + 1]) << 8))) > 1000
        }
        #expect(loud > 2205, "\(language): \(sound.count) bytes, \(loud) loud samples")
        #expect(faults.withLock(\.self) == [])
    }

    @Test(.enabled(if: installed != nil)) func aStrangersPhonemesAreNotSpoken() async throws {
        let program = try #require(Self.installed)
        try await speak("\(program) \"$@\" -q -x > said; touch spoken") { screen in
            await screen.show(Self.view("[[h@'loU]]"))
            #expect(await waits { FileManager.default.fileExists(atPath: "\(folder)/spoken") })
        }
        #expect(!lines("said").joined().contains("h@l'oU"), "\(lines("said"))")
    }
}
