// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Dispatch
import MPinServer
import Synchronization

/// Asks one D-TA elsewhere over a few kept connections, each with a queue. One deadline bounds the wait and the
/// answer together.
///
/// Only libcurl repeats a request, when the D-TA had closed a kept connection.
final class AuthorityConnection: Sendable {
    /// A share takes a D-TA less than a millisecond; more connections would not be faster.
    static let connections = 4
    /// Requests that may wait or be under way.
    static let capacity = 256

    /// The address without a trailing slash.
    let address: String
    private let certificates: String?
    private let deadline: Duration
    private let capacity: Int
    private let lanes: [Lane]
    /// The number of requests in each lane.
    private let loads = Mutex([Int](repeating: 0, count: connections))

    /// - Parameters:
    ///   - certificates: PEM file of the authorities to trust; nil for the system's.
    ///   - deadline: shorter than that of devices, which wait for the answer.
    init(
        address: String, certificates: String?, deadline: Duration = .seconds(4), capacity: Int = capacity
    ) {
        self.address = address
        self.certificates = certificates
        self.deadline = deadline
        self.capacity = capacity
        lanes = (0..<Self.connections).map { _ in Lane() }
    }

    /// Number of requests that wait or are under way.
    var load: Int { loads.withLock { $0.reduce(0, +) } }

    /// The body of a reply with status 200.
    /// - Parameter path: the path with its query.
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

    /// The number of the lane with the fewest requests; nil when all are full.
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

    /// Returns the message of a D-TA that refuses. A log can show it: it contains no line breaks.
    private static func words(in body: [UInt8]) -> String {
        let message = JSONObject(body: body)?.string("message") ?? "(no words)"
        return String(decoding: message.utf8.filter { (0x20..<0x7f).contains($0) }.prefix(120), as: UTF8.self)
    }
}

/// A kept connection. Its handle is used on its queue only.
private final class Lane: Sendable {
    let queue = DispatchQueue(label: "login-kiosk.dta")
    let curl = AuthorityCurl()
}
