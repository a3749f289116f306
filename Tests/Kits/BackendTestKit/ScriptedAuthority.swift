// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import MPinCrypto
package import MPinServer
import NIOCore
import NIOPosix
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
    private let server: NIOAsyncChannel<NIOAsyncChannel<ByteBuffer, ByteBuffer>, Never>
    private let half: Mutex<TrustedAuthority>
    private let script = Mutex<@Sendable (String) -> Answer>({ _ in .honest })
    private let requests = Mutex<[String]>([])

    /// Listens on a free port of the loopback interface once `run()` is called.
    package init(folder: TemporaryFolder, clock: any WallClock) async throws {
        credentials = try AppCredentials(path: try StateDirectory(path: folder.path).file("credentials"))
        self.clock = clock
        half = Mutex(try Self.newHalf(credentials, clock))
        server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
    }

    private static func newHalf(_ credentials: AppCredentials, _ clock: any WallClock) throws -> TrustedAuthority {
        TrustedAuthority(master: try MasterSecret.random(), credentials: credentials, clock: clock)
    }

    package var url: String { "http://127.0.0.1:\(server.channel.localAddress?.port ?? 0)" }

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

    /// Serves until the task is cancelled.
    package func run() async throws {
        try await server.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                for try await connection in connections {
                    group.addTask { try? await self.converse(connection) }
                }
            }
        }
    }

    private func converse(_ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async throws {
        try await connection.executeThenClose { inbound, outbound in
            var received = ""
            for try await buffer in inbound {
                received += String(buffer: buffer)
                guard received.hasSuffix("\r\n\r\n") else { continue }
                let target = received.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                received = ""
                let name = String(target.dropFirst().prefix { $0 != "?" })
                requests.withLock { $0.append(name) }
                switch script.withLock({ $0 })(name) {
                case .honest: try await outbound.write(ByteBuffer(string: honest(name, target)))
                case .body(let body): try await outbound.write(ByteBuffer(string: Self.wire(200, body)))
                case .wire(let text): try await outbound.write(ByteBuffer(string: text))
                case .drip:
                    for byte in Self.wire(200, String(repeating: " ", count: 4000)).utf8 {
                        try await outbound.write(ByteBuffer(bytes: [byte]))
                        try await Task.sleep(for: .milliseconds(20))
                    }
                case .silence: continue
                case .hangUp: return
                }
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
        let port = second.url.split(separator: ":").last.flatMap { Int($0) }
        return try await BackendTestKit.withBackend(
            state: state, clock: clock, storage: storage,
            options: ["--dta1", first.url, "--dta2", second.url] + options
        ) { backend in
            var backend = backend
            backend.authorityPort = port
            if knowsSecret { try await backend.waitForServerSecret() }
            return try await body(backend)
        }
    }
}

package func withScriptedAuthorities(
    clock: ManualWallClock = ManualWallClock(), _ body: @escaping @Sendable (ScriptedAuthorities) async throws -> Void
) async throws {
    let state = TemporaryFolder()
    let folders = [TemporaryFolder(), TemporaryFolder()]
    let directory = try StateDirectory(path: state.path)
    var authorities: [ScriptedAuthority] = []
    for (number, folder) in zip(1...2, folders) {
        authorities.append(try await ScriptedAuthority(folder: folder, clock: clock))
        let content = try StateDirectory.read(folder.path + "/credentials") ?? []
        try StateDirectory.create(try directory.folder("dta\(number)") + "/credentials", content: content)
    }
    let pair = ScriptedAuthorities(first: authorities[0], second: authorities[1], state: state, clock: clock)
    try await withThrowingTaskGroup(of: Bool.self) { group in
        for authority in [pair.first, pair.second] {
            group.addTask {
                try await authority.run()
                return false
            }
        }
        group.addTask {
            try await body(pair)
            return true
        }
        defer { group.cancelAll() }
        while let isOver = try await group.next(), !isOver {}
    }
}
