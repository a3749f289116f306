// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// How one D-TA elsewhere is asked: over a few kept connections, each with a queue of its own, with a deadline for
/// waiting and answer together.
///
/// Nothing is asked a second time but by libcurl, on a kept connection that the D-TA had closed.
final class AuthorityConnection: Sendable {
    /// A share takes a D-TA less than a millisecond; more connections would not be faster.
    static let connections = 4
    /// As many requests may wait or be under way.
    static let capacity = 256

    /// Without a slash at the end.
    let address: String
    private let certificates: String?
    private let deadline: Duration
    private let capacity: Int
    private let lanes: [Lane]
    /// How many requests each lane has.
    private let loads = Mutex([Int](repeating: 0, count: connections))

    /// - Parameters:
    ///   - certificates: PEM file of the authorities that vouch for it; nil for the system's.
    ///   - deadline: below that of devices, which wait meanwhile.
    init(
        address: String, certificates: String?, deadline: Duration = .seconds(4), capacity: Int = capacity
    ) {
        self.address = address
        self.certificates = certificates
        self.deadline = deadline
        self.capacity = capacity
        lanes = (0..<Self.connections).map { _ in Lane() }
    }

    /// How many requests wait or are under way.
    var load: Int { loads.withLock { $0.reduce(0, +) } }

    /// The body of a reply with status 200.
    /// - Parameter path: with its query.
    func get(_ path: String) async throws(AuthorityFault) -> [UInt8] {
        guard let number = takeLane() else { throw .busy }
        let end = ContinuousClock.now + deadline
        let (url, certificates, lane) = (address + path, certificates, lanes[number])
        let reply = await withCheckedContinuation { continuation in
            lane.queue.async {
                continuation.resume(returning: lane.curl.get(url, certificates: certificates, until: end))
            }
        }
        loads.withLock { $0[number] -= 1 }
        return try Self.body(of: reply.get())
    }

    /// The one with the least to do.
    private func takeLane() -> Int? {
        loads.withLock { loads in
            guard loads.reduce(0, +) < capacity, let number = loads.indices.min(by: { loads[$0] < loads[$1] })
            else { return nil }
            loads[number] += 1
            return number
        }
    }

    private static func body(of reply: AuthorityReply) throws(AuthorityFault) -> [UInt8] {
        switch reply.status {
        case 200: return reply.body
        case 300..<400: throw .redirected(reply.status)
        case 500...: throw .failed(reply.status)
        default: throw .refused(reply.status, words(in: reply.body))
        }
    }

    /// Returns the message of a D-TA that refuses, for a log. Nothing in it may look like another line.
    private static func words(in body: [UInt8]) -> String {
        let message = JSONObject(body: body)?.string("message") ?? "(no words)"
        return String(decoding: message.utf8.filter { (0x20..<0x7f).contains($0) }.prefix(120), as: UTF8.self)
    }
}

/// A connection that is kept from one request to the next. Its handle is used on its queue alone.
private final class Lane: Sendable {
    let queue = DispatchQueue(label: "login-kiosk.dta")
    let curl = AuthorityCurl()
}
