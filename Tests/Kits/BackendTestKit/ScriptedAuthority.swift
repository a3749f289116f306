// SPDX-License-Identifier: Apache-2.0

import Encoding
package import BackendValues
import Glibc
package import MPinCrypto
package import MPinServer
package import Patience
import Synchronization

/// A D-TA with scripted answers.
package final class ScriptedAuthority: Sendable {
    package enum Answer: Sendable {
        package static let failure = wire(ScriptedAuthority.wire(500, ""))

        /// The right answer.
        case honest
        /// Status 200 with this body.
        case body(String)
        /// A whole reply in bytes.
        case wire(String)
        /// The first bytes of an endless reply, one by one.
        case drip
        case silence
        case hangUp
    }

    package let credentials: AppCredentials
    private let clock: any WallClock
    private let listener: LoopbackListener
    private let half: Mutex<TrustedAuthority>
    private let script = Mutex<@Sendable (String) -> Answer>({ _ in .honest })
    private let requests = Mutex<[String]>([])

    package init(folder: TemporaryFolder, clock: any WallClock) throws {
        credentials = try AppCredentials(path: try StateDirectory(path: folder.path).file("credentials"))
        self.clock = clock
        half = Mutex(try Self.newHalf(credentials, clock))
        listener = try LoopbackListener()
        listener.serve { [weak self] in self?.converse($0) }
    }

    deinit { listener.stop() }

    private static func newHalf(_ credentials: AppCredentials, _ clock: any WallClock) throws -> TrustedAuthority {
        TrustedAuthority(master: try MasterSecret.random(), credentials: credentials, clock: clock)
    }

    package var url: String { "http://127.0.0.1:\(listener.port)" }

    /// Sets the answers by the request's name: `serverSecret`, `clientSecret`, `timePermit`, `status`.
    package func answer(_ script: @escaping @Sendable (String) -> Answer) { self.script.withLock { $0 = script } }

    /// Gives it another half of the master secret.
    package func changeHalf() throws {
        let new = try Self.newHalf(credentials, clock)
        half.withLock { $0 = new }
    }

    package var authority: TrustedAuthority { half.withLock { $0 } }

    /// The names of the requests since the previous call.
    package func takeRequests() -> [String] {
        requests.withLock { requests in
            defer { requests = [] }
            return requests
        }
    }

    private func converse(_ connection: LoopbackConnection) {
        var received = ""
        while let bytes = connection.receive() {
            received += String(decoding: bytes, as: UTF8.self)
            guard received.hasSuffix("\r\n\r\n") else { continue }
            let target = received.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            received = ""
            let name = String(target.dropFirst().prefix { $0 != "?" })
            requests.withLock { $0.append(name) }
            switch script.withLock({ $0 })(name) {
            case .honest: connection.send(honest(name, target))
            case .body(let body): connection.send(Self.wire(200, body))
            case .wire(let text): connection.send(text)
            case .drip:
                for byte in Self.wire(200, String(repeating: " ", count: 4000)).utf8 {
                    guard connection.send([byte]) else { return }
                    usleep(20_000)
                }
            case .silence: continue
            case .hangUp: return
            }
        }
    }

    package static func wire(_ status: Int, _ body: String, headers: String = "") -> String {
        "HTTP/1.1 \(status) Words\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
    }

    private func honest(_ name: String, _ target: String) -> String {
        let query = FormFields(target.drop { $0 != "?" }.dropFirst()) ?? FormFields("")
        do {
            let share: String
            switch (name, query) {
            case ("serverSecret", let query?):
                try authority.requests.requireServerSecret(query, now: clock.now)
                share = hex(authority.serverSecretShare())
            case ("clientSecret", let query?):
                let identity = try authority.requests.identity(ofClientSecret: query, now: clock.now)
                share = hex(try authority.clientSecretShare(for: identity))
            case ("timePermit", let query?):
                let (identity, day) = try authority.requests.identity(ofTimePermit: query, now: clock.now)
                share = hex(try authority.timePermitShare(for: identity, on: day))
            default: return Self.wire(200, "{}")
            }
            // Clients of the platform read the second name.
            return Self.wire(200, "{\"\(name)\":\"\(share)\",\"dvsClientSecret\":\"\(share)\"}")
        } catch let refusal as Refusal {
            return Self.wire(refusal.code, "{\"message\":\"\(refusal.message)\"}")
        } catch {
            return Self.wire(401, "{\"message\":\"\((error as? OtherDay)?.refusal.message ?? "")\"}")
        }
    }
}

package func hex(_ share: ServerSecretShare) -> String { share.withBytes { Hexadecimal.text(copy(of: $0)) } }
package func hex(_ share: ClientSecretShare) -> String { share.withBytes { Hexadecimal.text(copy(of: $0)) } }
package func hex(_ share: TimePermitShare) -> String { share.withBytes { Hexadecimal.text(copy(of: $0)) } }

/// Two scripted D-TAs, and the state directory of a backend that asks them.
package struct ScriptedAuthorities: Sendable {
    package let first: ScriptedAuthority
    package let second: ScriptedAuthority
    package let state: TemporaryFolder
    package let clock: ManualWallClock

    /// Runs a backend that asks them.
    package func withBackend<Value: Sendable>(
        knowsSecret: Bool = true, storage: BackendStorage? = nil,
        options: [String] = [],
        _ body: @escaping @Sendable (RunningBackend) async throws -> Value
    ) async throws -> Value {
        try await BackendTestKit.withBackend(
            asking: [first.url, second.url], state: state, clock: clock, storage: storage, knowsSecret: knowsSecret,
            options: options, body)
    }
}

package func withScriptedAuthorities(
    clock: ManualWallClock = ManualWallClock(), _ body: @escaping @Sendable (ScriptedAuthorities) async throws -> Void
) async throws {
    let state = TemporaryFolder()
    let folders = [TemporaryFolder(), TemporaryFolder()]
    let authorities = try folders.map { try ScriptedAuthority(folder: $0, clock: clock) }
    try copyCredentials(from: folders.map { $0.path + "/credentials" }, to: state)
    try await body(
        ScriptedAuthorities(first: authorities[0], second: authorities[1], state: state, clock: clock))
    withExtendedLifetime(folders) {}
}
