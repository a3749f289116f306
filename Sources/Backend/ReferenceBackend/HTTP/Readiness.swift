// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MPinCrypto
import ServiceLifecycle
import Waiting

/// Whether this process should be given requests, as a load balancer asks at `GET /readyz`: its storage can be written, it
/// has the server secret of D-TAs elsewhere, and it was not told to stop.
///
/// The path is open to strangers, so that a question costs the storage little: an answer holds for ``interval``, and
/// only one look is under way at a time.
actor Readiness {
    static let interval = Duration.seconds(1)

    enum State: String, Sendable {
        case ready, stopping
        case noStorage = "the storage does not answer, or takes nothing"
        /// No login would begin here, and another process may have had it from them before they went away.
        case noServerSecret = "the D-TAs have not given the server secret yet"
    }

    private let time: Timekeeper
    private let look: @Sendable () async throws -> Void
    private let canJudge: @Sendable () -> Bool
    private var storageAnswers = false
    private var lastLook: Duration?
    private var isLooking = false
    private var isStopping = false

    /// - Parameters:
    ///   - canJudge: whether the server secret is known.
    ///   - look: writes to the storage.
    init(
        _ time: Timekeeper, canJudge: @escaping @Sendable () -> Bool = { true },
        look: @escaping @Sendable () async throws -> Void
    ) {
        self.time = time
        self.canJudge = canJudge
        self.look = look
    }

    /// Adds nothing to the counts of logins, which is a write: without room for one no PIN is judged.
    init(_ storage: BackendStorage, _ verifier: LateVerifier, clock: any WallClock) {
        self.init(
            Timekeeper(ContinuousClock()), canJudge: { verifier.isKnown },
            look: { try await storage.durable.add(LoginCounts(), now: clock.now) })
    }

    /// Those who ask while a look is under way hear how it was before.
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
            return isStopping ? .stopping : !storageAnswers ? .noStorage : canJudge() ? .ready : .noServerSecret
        }
    }

    func stop() { isStopping = true }
}

/// `GET /healthz`, which says that the process talks, and `GET /readyz`.
struct HealthRoutes: Sendable {
    let readiness: Readiness

    func add(to router: Router<BasicRequestContext>) {
        let readiness = readiness
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

/// The time in which a process that was told to stop serves on, so that a load balancer hears of it and sends what
/// comes next to another one. Last in its group: services are told to stop one after the other, from the last.
struct Draining: Service {
    let readiness: Readiness
    let duration: Duration

    func run() async {
        guard (try? await gracefulShutdown()) != nil else { return }
        await readiness.stop()
        try? await Task.sleep(for: duration)
    }
}
