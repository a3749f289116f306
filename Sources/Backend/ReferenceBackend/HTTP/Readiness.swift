// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Hummingbird
import LinuxSystem
import MPinCrypto
import MPinServer
import ServiceLifecycle

/// Answers a load balancer at `GET /readyz` whether this process can take requests: its storage can be written, it
/// has the server secret of D-TAs elsewhere, and it was not told to stop.
///
/// Strangers can ask, so an answer is cached for ``interval``, and only one check runs at a time.
actor Readiness {
    static let interval = Duration.seconds(1)

    enum State: String, Sendable {
        case ready, stopping
        case noStorage = "the storage does not answer, or takes nothing"
        /// No login can begin here. Another process may have got the server secret before the D-TAs went away.
        case noServerSecret = "the D-TAs have not given the server secret yet"
    }

    private let time: Timekeeper
    private let look: @Sendable () async throws -> Void
    private let canCheck: @Sendable () -> Bool
    private var storageAnswers = false
    private var lastLook: Duration?
    private var isLooking = false
    private var isStopping = false

    /// - Parameters:
    ///   - canCheck: whether the server secret is known.
    ///   - look: writes to the storage.
    init(
        _ time: Timekeeper, canCheck: @escaping @Sendable () -> Bool = { true },
        look: @escaping @Sendable () async throws -> Void
    ) {
        self.time = time
        self.canCheck = canCheck
        self.look = look
    }

    /// Checks by a write that adds zero to the counts of logins. If it fails no PIN can be checked.
    init(_ storage: BackendStorage, _ verifier: PendingVerifier, clock: any WallClock) {
        self.init(
            Timekeeper(ContinuousClock()), canCheck: { verifier.isKnown },
            look: { try await storage.operators.add(LoginCounts(), now: clock.now) })
    }

    /// The state. While a check runs, callers get the previous one.
    var state: State {
        get async {
            if isStopping { return .stopping }
            let isFresh = lastLook.map { time.elapsed() - $0 < Readiness.interval } ?? false
            if !isFresh, !isLooking {
                isLooking = true
                do {
                    try await look()
                    storageAnswers = true
                } catch {
                    storageAnswers = false
                }
                lastLook = time.elapsed()
                isLooking = false
            }
            return isStopping ? .stopping : !storageAnswers ? .noStorage : canCheck() ? .ready : .noServerSecret
        }
    }

    func stop() { isStopping = true }
}

/// `GET /healthz`, whether the process answers, and `GET /readyz`.
struct HealthRoutes: Sendable {
    let readiness: Readiness

    func add(to router: Router<BasicRequestContext>) {
        router.get("healthz") { _, _ in Self.line("ok", .ok) }
        router.get("readyz") { _, _ in
            let state = await readiness.state
            return Self.line(state.rawValue, state == .ready ? .ok : .serviceUnavailable)
        }
    }

    private static func line(_ text: String, _ status: HTTPResponse.Status) -> Response {
        .content(Array("\(text)\n".utf8), type: "text/plain; charset=UTF-8", status: status)
    }
}

/// Keeps serving for a while after the process was told to stop, so that a load balancer notices and sends new
/// requests elsewhere. It comes last in its group, because services stop from the last to the first.
struct Draining: Service {
    let readiness: Readiness
    let duration: Duration

    func run() async {
        guard (try? await gracefulShutdown()) != nil else { return }
        await readiness.stop()
        try? await Task.sleep(for: duration)
    }
}
