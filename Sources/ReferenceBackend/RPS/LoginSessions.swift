// SPDX-License-Identifier: Apache-2.0

/// The browsers that wait for a device, by the code in their picture or by access number.
///
/// A number says nothing by itself, so each is kept, and there is a bound on how many are open: the fewer, the harder
/// one is guessed. Pages that get none show their picture alone.
struct LoginSessions: Sendable {
    private var coded: CodedSessions<LoginSession>
    private var numbers: ExpiringTable<String, LoginSession>
    private var numbersByWebOTT: ExpiringTable<OneTimeToken, String>

    /// - Throws: `BackendError.randomnessUnavailable`.
    init() throws(BackendError) {
        coded = try CodedSessions(fresh: LoginSession())
        numbers = ExpiringTable(capacity: AccessNumber.capacity)
        numbersByWebOTT = ExpiringTable(capacity: AccessNumber.capacity)
    }

    func openCode(until expires: WallTime) throws(BackendError) -> SessionCodes.Pair { try coded.open(until: expires) }

    /// - Parameter number: that of no open session.
    /// - Throws: `Refusal` 429, 503 when there are enough; `BackendError.randomnessUnavailable`.
    mutating func open(_ number: String, until expires: WallTime, now: WallTime) throws -> OneTimeToken {
        let webOTT = try OneTimeToken.random()
        try numbers.insert(LoginSession(), for: number, of: .currentNewcomer, expires: expires, now: now)
        try numbersByWebOTT.insert(number, for: webOTT, of: .currentNewcomer, expires: expires, now: now)
        return webOTT
    }

    /// The session that a page polls with `webOTT`.
    func value(polledWith webOTT: OneTimeToken, now: WallTime) -> LoginSession? {
        if let number = numbersByWebOTT.value(for: webOTT, now: now) { return numbers.value(for: number, now: now) }
        return coded.accessCode(of: webOTT).flatMap { coded.value(for: $0, now: now) }
    }

    /// - Parameter accessCode: the code in the picture, or the number. So everywhere below.
    func value(for accessCode: String, now: WallTime) -> LoginSession? {
        numbers.value(for: accessCode, now: now) ?? coded.value(for: accessCode, now: now)
    }

    /// What a device says that has proved nothing. Where there is no room the page does not hear it, which is all.
    mutating func report(_ progress: LoginSession.Progress, of userID: String, to accessCode: String, now: WallTime) {
        guard var session = value(for: accessCode, now: now) else { return }
        (session.progress, session.userID) = (progress, progress == .user ? userID : "")
        if AccessNumber.isOne(accessCode) {
            numbers.update(accessCode, now: now) { $0 = session }
        } else {
            try? coded.store(session, for: accessCode, now: now)
        }
    }

    /// Changes a session for a device that has proved its PIN.
    mutating func update(_ accessCode: String, now: WallTime, _ change: (inout LoginSession) -> Void) {
        guard AccessNumber.isOne(accessCode) else { return coded.update(accessCode, now: now, change) }
        numbers.update(accessCode, now: now, change)
    }

    mutating func keep(_ accessCode: String, until expires: WallTime) {
        numbers.keep(accessCode, until: expires)
        coded.keep(accessCode, until: expires)
    }

    mutating func remove(_ accessCode: String, now: WallTime) {
        numbers.remove(accessCode, now: now)
        coded.remove(accessCode, now: now)
    }
}
