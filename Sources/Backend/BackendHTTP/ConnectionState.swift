// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The requests of a connection of HTTP/1, or of the streams of one of HTTP/2. Events go in, actions come out, and the
/// channel handlers carry them out.
struct ConnectionState {
    enum Event: Equatable {
        case opened, serverEnds, deadlinePassed
    }

    /// An event of a stream, or of the connection itself with HTTP/1.
    enum StreamEvent: Equatable {
        /// - Parameter expectsContinue: whether the client waits for `100 Continue` (RFC 9110, section 10.1.1).
        case head(expectsContinue: Bool)
        case body
        case end
        /// The received bytes are read.
        case readComplete
        /// The answering task wants more.
        case read
        case bodyDeadlinePassed
        /// The end of an answer is queued, then sent.
        case answered, written
        /// The answer to a long poll waits, and no longer waits.
        case hold, holdEnds
        case writable(Bool)
        /// The client sends nothing more, the connection has failed, or it is closed.
        case inputClosed, failed, closed
    }

    enum Action: Equatable {
        case setDeadline(TimeAmount?)
        /// Protects the connection from making room for others, or no longer.
        case protect(Bool)
        case close
    }

    enum StreamAction: Equatable {
        case connection(Action)
        /// Passes the event's part on.
        case pass
        case read
        case askForBody
        case setBodyDeadline(TimeAmount?)
        case fail(BodyFault)
        /// Ends the hold of a long poll.
        case release
        case close
    }

    enum BodyFault: Error {
        /// The body was not complete in time.
        case tooSlow
        /// The client left before the body was complete.
        case cutShort
    }

    /// The time from connecting to the first request's head.
    static let firstHeadDeadline = TimeAmount.seconds(10)
    /// The time from an answer to the next head. Hummingbird's shorter time ends first, with a proper goodbye.
    static let idleDeadline = WebServer.idleTime + .seconds(10)
    /// The time from the server's end to that of an idle connection.
    static let farewellDeadline = TimeAmount.seconds(5)
    /// The time from a request's head to its end.
    static let bodyDeadline = TimeAmount.seconds(15)

    private var streams: [ObjectIdentifier: StreamState] = [:]
    private var isLeaving = false
    private var isOver = false

    private var isIdle: Bool { streams.values.allSatisfy { $0.begun == 0 } }
    private var isWritten: Bool { streams.values.allSatisfy { $0.unwritten == 0 } }

    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .opened: return [.setDeadline(Self.firstHeadDeadline)]
        case .serverEnds where isLeaving: return []
        case .serverEnds:
            isLeaving = true
            return [.setDeadline(Self.farewellDeadline)]
        case .deadlinePassed:
            isOver = true
            return isIdle ? [.close] : []
        }
    }

    mutating func handle(_ event: StreamEvent, of stream: ObjectIdentifier) -> [StreamAction] {
        let before = streams[stream] ?? StreamState()
        var now = before
        let actions = now.handle(event, isOver: isOver)
        streams[stream] = event == .closed ? nil : now
        var own: [Action] = []
        if now.whole > before.whole || now.protecting != before.protecting {
            own.append(.protect(streams.values.contains { $0.protecting > 0 }))
        }
        if now.begun > before.begun, !isLeaving { own.append(.setDeadline(nil)) }
        if now.begun < before.begun, isIdle {
            if isOver {
                own.append(.setDeadline(Self.farewellDeadline))
            } else if !isLeaving {
                own.append(.setDeadline(Self.idleDeadline))
            }
        }
        let mayClose = event == .written || event == .closed && before.begun > 0
        let isLast = mayClose && isOver && isIdle && isWritten
        return own.map { .connection($0) } + actions + (isLast ? [.connection(.close)] : [])
    }
}

private struct StreamState {
    /// Requests with a head and without an answer, and the number of them that are complete.
    var (begun, whole) = (0, 0)
    /// Answers that are queued and not yet sent.
    private(set) var unwritten = 0
    private var isContinueDue = false
    /// Whether the answer to a long poll waits.
    private var isHeld = false
    /// Whether a read waits for an answer.
    private var isReadHeld = false
    /// Whether the end of the last request is outstanding.
    private var isReading = false
    private var hasBodyDeadline = false
    private var isTooSlow = false
    private var hasLeft = false
    private var isWritable = true

    /// The number of requests that protect the connection: the complete ones, except for a held one, and none while
    /// the client does not read.
    var protecting: Int { isWritable ? max(0, whole - (isHeld ? 1 : 0)) : 0 }

    mutating func handle(
        _ event: ConnectionState.StreamEvent, isOver: Bool
    ) -> [ConnectionState.StreamAction] {
        switch event {
        case .head where isTooSlow, .body where isTooSlow, .end where isTooSlow: return []
        case .head where isOver: return [.close]
        case .head(let expectsContinue): return beginRequest(expectsContinue: expectsContinue)
        case .body: return [.pass]
        case .end: return endRequest()
        case .readComplete:
            // A request that did not arrive in one piece.
            guard isReading, !hasBodyDeadline, !isTooSlow else { return [] }
            hasBodyDeadline = true
            return [.setBodyDeadline(ConnectionState.bodyDeadline)]
        case .bodyDeadlinePassed:
            isTooSlow = true
            return begun == 0 ? [.close] : [.fail(.tooSlow)]
        case .read:
            // At most one request waits behind the one that is answered. So a client that pipelines takes little
            // memory, and a client that leaves is noticed.
            isReadHeld = begun > 1
            return isReadHeld ? [] : [.read]
        case .answered: return answer()
        case .written:
            unwritten = max(0, unwritten - 1)
            return isTooSlow && begun == 0 && unwritten == 0 ? [.close] : []
        case .hold:
            isHeld = true
            return hasLeft || begun > 1 ? release() : []
        case .holdEnds: isHeld = false
        case .writable(let isWritable): self.isWritable = isWritable
        case .inputClosed: return leave(.cutShort)
        // The error itself ends a body that is being read, with the reason.
        case .failed: return leave()
        case .closed:
            let actions = leave(.cutShort)
            (begun, whole, unwritten, isHeld) = (0, 0, 0, false)
            return actions + [.setBodyDeadline(nil)]
        }
        return []
    }

    private mutating func beginRequest(expectsContinue: Bool) -> [ConnectionState.StreamAction] {
        begun += 1
        (isReading, isContinueDue) = (true, expectsContinue)
        return release() + askForBody() + [.pass]
    }

    private mutating func endRequest() -> [ConnectionState.StreamAction] {
        (isReading, isContinueDue, hasBodyDeadline) = (false, false, false)
        // Some requests were answered before their end.
        if begun > whole { whole += 1 }
        return [.setBodyDeadline(nil), .pass]
    }

    private mutating func answer() -> [ConnectionState.StreamAction] {
        guard begun > 0 else { return [] }
        begun -= 1
        unwritten += 1
        if whole > 0 {
            whole -= 1
            isHeld = false
        }
        guard isReadHeld, begun <= 1 else { return askForBody() }
        isReadHeld = false
        return askForBody() + [.read]
    }

    /// Asks for the body, once all earlier requests are answered.
    private mutating func askForBody() -> [ConnectionState.StreamAction] {
        guard isContinueDue, begun == 1 else { return [] }
        isContinueDue = false
        return [.askForBody]
    }

    private func release() -> [ConnectionState.StreamAction] { isHeld ? [.release] : [] }

    /// - Parameter fault: that of a body that is being read.
    private mutating func leave(_ fault: ConnectionState.BodyFault? = nil) -> [ConnectionState.StreamAction] {
        guard !hasLeft else { return [] }
        hasLeft = true
        guard isReading, let fault else { return release() }
        return release() + [.fail(fault)]
    }
}
