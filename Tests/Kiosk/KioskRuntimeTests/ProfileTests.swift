// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import Synchronization
import Testing
@testable import KioskRuntime

/// Reads `PROFILE WORDS` as a profile, and records its calls.
final class FakeProvisioningService: ProvisioningService {
    let ownNumber: String?
    let ownKey = SecretBytes(copying: Array("KEY:ABC".utf8))
    private let result: Result<AppliedProfile, ProfileRefusal>
    private let resets: Bool
    private let asked = Mutex<[String]>([])
    private let stream: AsyncStream<[UInt8]>
    private let sink: AsyncStream<[UInt8]>.Continuation

    init(
        ownNumber: String? = "4711", _ result: Result<AppliedProfile, ProfileRefusal> = .success(.restart),
        resets: Bool = true
    ) {
        self.ownNumber = ownNumber
        self.result = result
        self.resets = resets
        (stream, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4))
    }

    /// The applied profiles, and whether everything was deleted.
    var calls: [String] { asked.withLock(\.self) }

    func read(_ text: SecretBytes) -> Result<ProfileOffer, ProfileRefusal>? {
        let words = Self.words(text)
        guard words.hasPrefix("PROFILE ") else { return nil }
        guard words != "PROFILE other" else { return .failure(.otherKiosk) }
        return .success(ProfileOffer(operatorName: String(words.dropFirst("PROFILE ".count)), operatorKey: "1234"))
    }

    func apply(_ text: SecretBytes) async -> Result<AppliedProfile, ProfileRefusal> {
        asked.withLock { $0.append(Self.words(text)) }
        return result
    }

    func files() -> AsyncStream<[UInt8]> { stream }
    func bring(_ text: String) { sink.yield(Array("\(text)\r\n".utf8)) }

    func reset() async -> Bool {
        asked.withLock { $0.append("reset") }
        return resets
    }

    private static func words(_ text: SecretBytes) -> String {
        text.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }
}

@Suite("A profile and a reset, with fakes of all ports", .timeLimit(.minutes(10)))
struct ProfileTests {
    private static func settings() throws -> KioskSettings {
        KioskSettings(
            trust: TrustPolicy(lines: [try TrustLine("login.example.com")]), tasks: [], policy: KioskPolicy()
        ) {}
    }

    @Test("With a card and OK the kiosk serves the operator's services")
    func fromACard() async throws {
        let service = FakeProvisioningService(.success(.settings(try Self.settings())))
        let rig = try KioskRig(trust: [], provisioning: service)
        try await rig.run { rig in
            try await rig.screen.view { $0.stage == .setup && $0.entry == .card(service.ownKey) }
            try await rig.play(
                """
                qr login; hint profileOnly; qr "PROFILE other"; hint profileOtherKiosk; qr "PROFILE Example Ltd"
                wait setupQuestion
                """)
            #expect(service.calls.isEmpty)
            try await rig.play(
                """
                key enter; title setUp; time 5; wait scan; qr "https://login.example.com#another"; wait consent
                """)
            #expect(await !rig.kiosk.mustRestart)
        }
        #expect(service.calls == ["PROFILE Example Ltd"])
        #expect(!rig.log.text.contains("PROFILE") && !rig.log.text.contains("Example Ltd"))
    }

    @Test("A file, and a profile that needs a restart: the kiosk ends for it")
    func fromAFile() async throws {
        let service = FakeProvisioningService()
        let rig = try KioskRig(trust: [], provisioning: service, resetKeys: [.menu])
        service.bring("something else")
        service.bring("PROFILE other")
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await rig.kiosk.run() }
            do {
                try await rig.screen.view { $0.hint == Prompt(.profileOtherKiosk) }
                service.bring("PROFILE Example Ltd")
                try await rig.screen.view(at: .setupQuestion)
                // Another file is ignored while the person reads.
                service.bring("PROFILE Mallory")
                try await rig.play("key enter; title setUp; key enter")
            } catch { Issue.record(error) }
            // It ends by itself.
            await group.waitForAll()
        }
        #expect(await rig.kiosk.mustRestart)
        #expect(service.calls == ["PROFILE Example Ltd"])
    }

    @Test func whatCouldNotBePutInPlaceIsTold() async throws {
        let service = FakeProvisioningService(.failure(.noRoom))
        try await KioskRig(trust: [], provisioning: service).run { rig in
            try await rig.play(
                """
                wait setup; qr "PROFILE Example Ltd"; wait setupQuestion; key enter; wait setup, hint profileNoRoom
                """)
            #expect(await !rig.kiosk.mustRestart)
        }
    }

    @Test("A kiosk in use explains the card, and reads no file")
    func isNotWantedInUse() async throws {
        let service = FakeProvisioningService(ownNumber: nil)
        let rig = try KioskRig(provisioning: service)
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            service.bring("PROFILE Example Ltd")
            try await rig.play(
                """
                qr "PROFILE Example Ltd"; wait scan, hint profileNotWanted; key enter; qr login; wait consent
                """)
        }
        #expect(service.calls.isEmpty)
        #expect(!rig.screen.views.contains { $0.stage == .setupQuestion })
    }

    static let keys: [Key] = [.clear, .digit(7), .menu]

    @Test(arguments: [true, false]) func resetByKeys(isDone: Bool) async throws {
        let service = FakeProvisioningService(ownNumber: nil, resets: isDone)
        let rig = try KioskRig(provisioning: service, resetKeys: [.clear, .digit(7), .menu])
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await rig.kiosk.run() }
            do {
                try await rig.screen.view(at: .scan)
                for key in Self.keys { rig.keypad.press(key) }
                try await rig.play("wait resetQuestion; key enter")
                try await rig.screen.view { $0.lines == [Prompt(.resetAgain)] }
                #expect(service.calls.isEmpty)
                for key in Self.keys { rig.keypad.press(key) }
                if isDone {
                    try await rig.play("title resetDone; time 5")
                } else {
                    try await rig.screen.view { $0.stage == .scan && $0.hint == Prompt(.resetFailed) }
                    group.cancelAll()
                }
            } catch { Issue.record(error) }
            await group.waitForAll()
        }
        #expect(await rig.kiosk.mustRestart == isDone && service.calls == ["reset"])
    }

    @Test("Keys at a machine's speed, and a kiosk without a service, delete nothing")
    func resetNotByOthers() async throws {
        let service = FakeProvisioningService(ownNumber: nil)
        let rig = try KioskRig(provisioning: service, resetKeys: [.clear, .digit(7), .menu])
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            for key in Self.keys { rig.keypad.report(.pressed(KeyPress(key, isBurst: true))) }
            try await rig.play("qr login; wait consent")
        }
        #expect(service.calls.isEmpty && !rig.screen.views.contains { $0.stage == .resetQuestion })
    }
}
