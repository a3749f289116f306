// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Patience
import Synchronization
import Testing

@testable import LinuxSystem

@Suite("Messages to a service manager") struct ServiceNotifierTests {
    final class Complaints: Sendable {
        private let kept = Mutex<[String]>([])
        var all: [String] { kept.withLock(\.self) }
        func add(_ problem: ServiceNotifier.Problem) { kept.withLock { $0.append("\(problem)") } }
    }

    let tree: FileTree
    let complaints = Complaints()

    init() throws { tree = try FileTree() }

    /// A manager whose socket has a path.
    private func manager() throws -> NotifySocket { try NotifySocket(Array(tree.path("notify").utf8) + [0]) }

    private func notifier(_ place: String? = nil) throws -> ServiceNotifier {
        let made = try ServiceNotifier(environment: ["NOTIFY_SOCKET": place ?? tree.path("notify")]) { [complaints] in
            complaints.add($0)
        }
        return try #require(made)
    }

    @Test("Messages arrive at a socket with a path, each in one datagram")
    func path() throws {
        let manager = try manager()
        let notifier = try notifier()
        #expect(notifier.tell(.ready, .status("ready for a QR code")))
        #expect(notifier.tell(.alive))
        #expect(notifier.tell(.stopping))
        #expect(manager.take() == ["READY=1\nSTATUS=ready for a QR code", "WATCHDOG=1", "STOPPING=1"])
        #expect(notifier.tell(.reloading))
        let reloading = try #require(manager.take().first).split(separator: "\n").map(String.init)
        #expect(reloading.first == "RELOADING=1" && reloading.count == 2)
        let time = try #require(Int64(reloading[1].dropFirst("MONOTONIC_USEC=".count)))
        #expect(time > 0 && complaints.all.isEmpty)
    }

    @Test("Messages arrive at a socket with a name without a file")
    func abstract() throws {
        let name = "login-kiosk-test-\(getpid())-\(UInt64.random(in: .min ... .max))"
        let manager = try NotifySocket([0] + Array(name.utf8))
        #expect(try notifier("@\(name)").tell(.ready))
        #expect(manager.take() == ["READY=1"])
    }

    @Test("The longest socket names of both kinds work")
    func longest() throws {
        let long = "login-kiosk-test-\(getpid())-" + String(repeating: "n", count: 200)
        let name = String(long.prefix(107))
        let manager = try NotifySocket([0] + Array(name.utf8))
        #expect(try notifier("@\(name)").tell(.alive))
        #expect(manager.take() == ["WATCHDOG=1"])
        #expect(throws: ServiceNotifier.Problem.self) { try notifier("@\(name)n") }
        #expect(try ServiceNotifier.address("/" + String(repeating: "p", count: 106)).count == 108)
        #expect(throws: ServiceNotifier.Problem.self) {
            try ServiceNotifier.address("/" + String(repeating: "p", count: 107))
        }
    }

    @Test("The last messages of several threads arrive last")
    func order() throws {
        let manager = try manager()
        let notifier = try notifier()
        let (tellers, tellings) = (4, 250)
        let made = Mutex(0)
        let group = DispatchGroup()
        for _ in 0..<tellers {
            DispatchQueue.global().async(group: group) {
                for _ in 0..<tellings {
                    notifier.tell {
                        made.withLock { number in
                            number += 1
                            return [.status("\(number)")]
                        }
                    }
                }
            }
        }
        // The kernel queues few datagrams, and a message waits a second for room at most. This thread makes room.
        var told: [String] = []
        while told.count < tellers * tellings, complaints.all.isEmpty { told += manager.take() }
        group.wait()
        told += manager.take()
        #expect(told == (1...tellers * tellings).map { "STATUS=\($0)" })
    }

    @Test func noWordsAreNotSent() throws {
        let manager = try manager()
        #expect(try notifier().tell { [] })
        #expect(manager.take().isEmpty)
    }

    @Test("A text is limited to one line and to a maximum length")
    func forged() throws {
        let manager = try manager()
        try notifier().tell(.status("a\nREADY=1\r\u{0}" + String(repeating: "b", count: 9000)))
        let told = try #require(manager.take().first)
        #expect(told.hasPrefix("STATUS=a READY=1  bbb") && !told.contains("\n") && told.utf8.count < 1100)
    }

    @Test("A missing manager is reported once for each reason, and may return")
    func gone() throws {
        let notifier = try notifier()
        for _ in 0..<3 { #expect(!notifier.tell(.alive)) }
        #expect(complaints.all.count == 1 && complaints.all[0].contains("No such file"), "\(complaints.all)")
        let manager = try manager()
        #expect(notifier.tell(.ready))
        #expect(manager.take() == ["READY=1"])
        #expect(unsafe unlink(tree.path("notify")) == 0)
        #expect(!notifier.tell(.alive))
        #expect(complaints.all.count == 2)
    }

    @Test("A file in the socket's place, or a manager that does not read, blocks nothing")
    func deaf() throws {
        try tree.file("file")
        #expect(!(try notifier(tree.path("file")).tell(.ready)))
        #expect(complaints.all.count == 1)
        let manager = try manager()
        let notifier = try notifier()
        // The kernel queues a few datagrams. Further ones fail after a second.
        var sent = 0
        while sent < 10_000, notifier.tell(.alive) { sent += 1 }
        #expect(sent > 0 && sent < 10_000)
        #expect(manager.take().count == sent)
    }

    @Test func withoutAManager() throws {
        #expect(try ServiceNotifier(environment: [:]) { _ in } == nil)
        #expect(try ServiceNotifier(environment: ["NOTIFY_SOCKET": ""]) { _ in } == nil)
    }

    @Test(arguments: ["notify", "./notify", "vsock:2:1234", "@", "/", " /run/x", "\u{0}", "unix:/run/x"])
    func noSocket(place: String) {
        #expect(throws: ServiceNotifier.Problem.self) { try notifier(place) }
    }

    @Test("The right process feeds the watchdog at half of its interval")
    func watchdog() throws {
        func interval(_ environment: [String: String]) throws -> Duration? {
            try ServiceNotifier.watchdogInterval(in: environment, process: 77)
        }
        #expect(try interval(["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "77"]) == .seconds(30))
        #expect(try interval(["WATCHDOG_USEC": "10001"]) == .microseconds(5000))
        #expect(try interval(["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "78"]) == nil)
        #expect(try interval([:]) == nil)
        #expect(try interval(["WATCHDOG_PID": "77", "WATCHDOG_USEC": ""]) == nil)
        for value in [
            "0", "1", "9999", "-5", "+60000000", "6e7", "60000000us", " 60000000", "18446744073709551616", "٣",
        ] {
            #expect(throws: ServiceNotifier.Problem.self, "\(value)") { try interval(["WATCHDOG_USEC": value]) }
        }
        #expect(throws: ServiceNotifier.Problem.self) {
            try interval(["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "me"])
        }
    }

    @Test(arguments: 0..<4) func arbitraryValues(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let alphabet = Array("@/ab0123456789-+.:\n\0ß".unicodeScalars)
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...130, using: &random)
            let scalars = (0..<count).map { _ in alphabet.randomElement(using: &random)! }
            let text = String(String.UnicodeScalarView(scalars))
            if let address = try? ServiceNotifier.address(text) { #expect((2...108).contains(address.count)) }
            let interval = try? ServiceNotifier.watchdogInterval(in: ["WATCHDOG_USEC": text])
            if let interval = interval ?? nil { #expect(interval >= .milliseconds(5)) }
        }
    }

    @Test("A stream is the journal's if it has the device and inode that the manager named")
    func journal() throws {
        var status = stat()
        try #require(unsafe fstat(2, &status) == 0)
        let own = "\(status.st_dev):\(status.st_ino)"
        #expect(StandardStream.error.isJournal(in: ["JOURNAL_STREAM": own]))
        for other in ["", ":", "\(status.st_dev):", own + ":", own + "0", "x:\(status.st_ino)", "-1:-1"] {
            #expect(!StandardStream.error.isJournal(in: ["JOURNAL_STREAM": other]), "\(other)")
        }
        #expect(!StandardStream.error.isJournal(in: [:]))
    }
}
