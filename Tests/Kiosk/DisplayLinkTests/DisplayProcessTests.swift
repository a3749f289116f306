// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import KioskTestKit
import LoginValues
import Patience
import ScreenTestKit
import Signage
import Synchronization
import Testing

@testable import DisplayLink

@Suite(.timeLimit(.minutes(10))) struct DisplayProcessTests {
    /// The program, in the same folder as the tests.
    private static var program: String {
        get throws {
            let tests = URL(
                fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            return tests.deletingLastPathComponent().appendingPathComponent("login-kiosk-display").path
        }
    }

    /// As in the kiosk, a display that has gone ends no test by the signal of its pipe.
    init() { signal(SIGPIPE, SIG_IGN) }

    /// Runs a link while `body` uses it.
    static func with(
        _ executable: String? = nil, _ arguments: [String] = ["--memory", "800x480"], log: LogCapture = LogCapture(),
        isPlugged: @escaping @Sendable () -> Bool = { true }, _ body: (DisplayProcess) async throws -> Void
    ) async throws {
        let display = DisplayProcess(
            executable: try executable ?? program, languages: .standard, settings: DisplaySettings(),
            clock: ContinuousClock(), logger: log.logger
        ) { isPlugged() ? arguments : nil }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await display.run() }
            let result: Result<Void, any Error>
            do { result = .success(try await body(display)) } catch { result = .failure(error) }
            group.cancelAll()
            try await group.waitForAll()
            try result.get()
        }
    }

    @Test func aViewIsReadOncePanelHasShownIt() async throws {
        let isPlugged = Atomic(false)
        try await Self.with(isPlugged: { isPlugged.load(ordering: .relaxed) }) { display in
            let consent = SampleViews.view("consent")
            #expect(!display.leavesFactsOut(of: consent) && display.documentRoom == nil)
            isPlugged.store(true, ordering: .relaxed)
            await display.show(consent)
            try await Patience.until { display.documentRoom != nil && !display.leavesFactsOut(of: consent) }
            // Another view of the same stage has not been shown.
            var other = consent
            other.lines[0] = Prompt(.consentService, [.service: "Another Shop"])
            #expect(display.leavesFactsOut(of: other))
            await display.show(other)
            try await Patience.until { !display.leavesFactsOut(of: other) }
            #expect(display.leavesFactsOut(of: consent))
            // Facts that cannot be sent whole are never agreed to.
            other.lines[0] = Prompt(.consentService, [.service: String(repeating: "x", count: 700)])
            await display.show(other)
            try await Patience.until { !display.owesAnswer }
            #expect(display.leavesFactsOut(of: other))
            #expect(display.hasRoom(for: .card(SecretBytes(copying: Array("LOGIN-KIOSK-CARD:2:ABC".utf8)))))
            #expect(!display.hasRoom(for: .text("x")))
        }
    }

    @Test func picturesAreWantedWhileSomebodyAims() async throws {
        try await Self.with { display in
            var audience = display.audience.makeAsyncIterator()
            await display.show(SampleViews.view("scan"))
            while await audience.next() != true {}
            display.show(
                try #require(
                    PreviewPicture(
                        luma: [UInt8](repeating: 1, count: PreviewPicture.width * PreviewPicture.height))))
            await display.show(SampleViews.view("consent"))
            while await audience.next() != false {}
        }
    }

    /// The console decides alone while the display is away; then it is back with the newest view.
    @Test func aKilledDisplayComesBack() async throws {
        let log = LogCapture()
        try await Self.with(log: log) { display in
            let consent = SampleViews.view("consent")
            await display.show(consent)
            for round in 1...2 {
                try await Patience.until { display.documentRoom != nil && !display.leavesFactsOut(of: consent) }
                for child in Self.children { kill(child, SIGKILL) }
                try await Patience.until { log.text.ranges(of: "the display restarts").count == round }
                if display.documentRoom == nil { #expect(!display.leavesFactsOut(of: consent)) }
            }
            try await Patience.until { !display.leavesFactsOut(of: consent) && display.documentRoom != nil }
        }
    }

    /// Without a panel there is no process, so that the kernel's console is back; that is no failure.
    @Test func anUnpluggedPanelComesBack() async throws {
        let log = LogCapture()
        let isPlugged = Atomic(false)
        try await Self.with(log: log, isPlugged: { isPlugged.load(ordering: .relaxed) }) { display in
            let consent = SampleViews.view("consent")
            await display.show(consent)
            try await Patience.until { log.text.contains("no panel shows the screen") }
            #expect(Self.children.isEmpty && !display.leavesFactsOut(of: consent))
            for round in 1...2 {
                isPlugged.store(true, ordering: .relaxed)
                try await Patience.until { display.documentRoom != nil && !display.leavesFactsOut(of: consent) }
                isPlugged.store(false, ordering: .relaxed)
                // Not before: if the panel were back, its process would have ended for no reason.
                try await Patience.until { log.text.ranges(of: "no panel shows the screen").count == round + 1 }
                #expect(display.documentRoom == nil && Self.children.isEmpty)
            }
            #expect(!log.text.contains("restarts"))
        }
    }

    @Test(
        arguments: [
            ("auto", "card0-HDMI-A-2"), ("card0", "card0-HDMI-A-2"), ("card1", "card1-DSI-1"), ("DSI-1", "card1-DSI-1"),
            ("card0-HDMI-A-2", "card0-HDMI-A-2"), ("card2", nil), ("card0-DSI-1", nil), ("HDMI-A-1", nil),
        ] as [(String, String?)])
    func aPanelIsNamed(by name: String, is connector: String?) {
        let connected = ["card0-HDMI-A-2", "card1-DSI-1", "card10-DP-1"]
        #expect(DisplayProcess.Choice(name)?.connector(among: connected) == connector)
    }

    @Test(arguments: ["", "card", "cardx", "card300", "/dev/dri/card0", "HDMI", "-1", "HDMI-A-1/..", "ДВИ-1"])
    func whatNamesNoPanelIsRefused(name: String) { #expect(DisplayProcess.Choice(name) == nil) }

    /// Programs that are no display: they speak first, say nothing, speak nonsense, or are not there.
    @Test(arguments: [
        ("/bin/false", [], "it ended"), ("/bin/echo", ["\u{1}\u{1}\u{1}\u{1}\u{1}"], "invalidLength"),
        ("/usr/bin/printf", ["\\2\\0\\0\\0\\2\\2"], "it does not begin with its version"),
        ("/usr/bin/printf", ["\\4\\0\\0\\0\\1\\11\\0\\1"], "otherVersion(9)"),
        ("/nowhere/display", [], "cannot be started"),
    ])
    func whatIsNoDisplayIsEnded(program: String, arguments: [String], reason: String) async throws {
        let log = LogCapture()
        try await Self.with(program, arguments, log: log) { display in
            await display.show(SampleViews.view("consent"))
            try await Patience.until { log.text.contains(reason) }
            #expect(display.documentRoom == nil)
            try await Patience.until {
                if case .missing(let text) = display.panelState { text.contains(reason) } else { false }
            }
        }
    }

    @Test func onlyConnectedPanelsAreFound() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "panels-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, status) in [
            ("card0-HDMI-A-1", "disconnected\n"), ("card1-DSI-1", "connected\n"), ("card1-DSI-2", "unknown\n"),
            ("renderD128", "connected\n"), ("version", "connected\n"),
        ] {
            let connector = folder.appending(path: name)
            try FileManager.default.createDirectory(at: connector, withIntermediateDirectories: true)
            try Data(status.utf8).write(to: connector.appending(path: "status"))
            try Data("800x480\n640x480\n".utf8).write(to: connector.appending(path: "modes"))
        }
        #expect(ConnectedPanels.panels(in: folder.path()) == [.init(connector: "card1-DSI-1", size: "800x480")])
        try Data().write(to: folder.appending(path: "card1-DSI-1/modes"))
        #expect(ConnectedPanels.panels(in: folder.path()) == [.init(connector: "card1-DSI-1", size: nil)])
        #expect(ConnectedPanels.panels(in: "/nowhere").isEmpty)
    }

    /// The display processes that this process has started.
    private static var children: [pid_t] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { pid_t($0) }.filter { pid in
            let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
            return status.contains("PPid:\t\(getpid())\n") && status.hasPrefix("Name:\tlogin-kiosk-dis")
        }
    }
}
