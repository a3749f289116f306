// SPDX-License-Identifier: Apache-2.0

public import LoginValues
public import MPinClient

/// The contract of every `HTTPTransport`, real or fake.
public enum HTTPTransportContract {
    /// The peer's behaviour for one request. The n-th request gets the n-th behaviour.
    public enum Behaviour: Sendable {
        case reply(status: Int, headers: [HTTPHeader], body: [UInt8])
        /// The request is read and never answered.
        case silence
        /// The request is read and the connection is closed.
        case cut
    }

    /// A request as the peer saw it.
    public struct Received: Sendable, Equatable {
        public var method: String
        /// Path and query.
        public var target: String
        public var headers: [HTTPHeader]
        public var body: [UInt8]

        public init(method: String, target: String, headers: [HTTPHeader], body: [UInt8]) {
            self.method = method
            self.target = target
            self.headers = headers
            self.body = body
        }

        public func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    /// A transport and the scripted peer that it reaches at `address`.
    public struct Subject: Sendable {
        public var transport: any HTTPTransport
        public var address: WebAddress
        public var received: @Sendable () -> [Received]

        public init(
            transport: any HTTPTransport, address: WebAddress, received: @escaping @Sendable () -> [Received]
        ) {
            self.transport = transport
            self.address = address
            self.received = received
        }
    }

    /// Runs the suite.
    ///
    /// - Parameter make: makes a new transport and peer for every part.
    /// - Throws: the first `ContractViolation`.
    public static func check(_ make: ([Behaviour]) async throws -> Subject) async throws {
        try await sendsWhatItIsGiven(make)
        try await returnsEveryStatus(make)
        try await capsTheReply(make)
        try await tellsWhyThereIsNoReply(make)
        try await endsWhenCancelled(make)
    }

    private static func sendsWhatItIsGiven(_ make: ([Behaviour]) async throws -> Subject) async throws {
        let subject = try await make(
            Array(repeating: .reply(status: 200, headers: [HTTPHeader("Set-Cookie", "a=b")], body: []), count: 4))
        let body = Array(#"{"mpin_id":"7b7d"}"#.utf8)
        for method in [HTTPRequest.Method.get, .post, .put, .delete] {
            _ = try await subject.transport.send(
                HTTPRequest(
                    method, try subject.address.appending("/rps/../user/7b7d?regOTT=cafe"),
                    headers: [HTTPHeader("Content-Type", "application/json"), HTTPHeader("X-Empty", "")],
                    body: method == .get ? nil : SecretBytes(copying: body)))
        }
        let received = subject.received()
        try ContractViolation.check(
            received.map(\.method) == ["GET", "POST", "PUT", "DELETE"], "one request each, with its method: \(received)"
        )
        for request in received {
            try ContractViolation.check(
                request.target == "/rps/../user/7b7d?regOTT=cafe", "path and query arrive as given: \(request.target)")
            try ContractViolation.check(
                request.header("content-type") == "application/json" && request.header("x-empty") == "",
                "headers arrive as given: \(request.headers)")
            try ContractViolation.check(
                request.body == (request.method == "GET" ? [] : body), "the body of \(request.method) arrives as given")
            try ContractViolation.check(request.header("cookie") == nil, "no cookie is kept")
        }
    }

    private static func returnsEveryStatus(_ make: ([Behaviour]) async throws -> Subject) async throws {
        let statuses = [200, 204, 302, 307, 401, 403, 408, 410, 412, 500, 503]
        let headers = [
            HTTPHeader("Location", "http://127.0.0.1:1/elsewhere"), HTTPHeader("WWW-Authenticate", "Basic realm=\"x\""),
        ]
        let subject = try await make(
            statuses.map { .reply(status: $0, headers: headers, body: $0 == 204 ? [] : Array("body".utf8)) })
        for status in statuses {
            let reply = try await subject.transport.send(HTTPRequest(.get, subject.address))
            try ContractViolation.check(reply.status == status, "\(status) is returned as it is, not \(reply.status)")
            let expected = SecretBytes(copying: status == 204 ? [] : Array("body".utf8))
            try ContractViolation.check(reply.body == expected, "the body of \(status) is returned")
            try ContractViolation.check(
                reply.headers.contains { $0.name.lowercased() == "location" && $0.value == headers[0].value },
                "the headers of \(status) are returned: \(reply.headers)")
        }
        try ContractViolation.check(
            subject.received().count == statuses.count, "nothing is followed, answered or sent twice")
    }

    private static func capsTheReply(_ make: ([Behaviour]) async throws -> Subject) async throws {
        let limit = HTTPRequest.maximumReplyLength
        let subject = try await make([limit, limit + 1].map { .reply(status: 200, headers: [], body: filler($0)) })
        let longest = try await subject.transport.send(HTTPRequest(.get, subject.address))
        try ContractViolation.check(
            longest.body == SecretBytes(copying: filler(limit)), "a reply of \(limit) bytes is whole")
        let error = await failure(of: HTTPRequest(.get, subject.address), subject.transport)
        try ContractViolation.check(error?.code == .replyTooLong, "one byte more is too long: \(describe(error))")
    }

    private static func tellsWhyThereIsNoReply(_ make: ([Behaviour]) async throws -> Subject) async throws {
        let subject = try await make([.cut, .silence])
        let cut = await failure(of: HTTPRequest(.post, subject.address), subject.transport)
        try ContractViolation.check(
            cut?.code == .transferFailed && cut?.requestMayHaveBeenSent == true,
            "a cut connection is transferFailed, perhaps sent: \(describe(cut))")
        let silence = await failure(
            of: HTTPRequest(.get, subject.address, deadline: .milliseconds(300)), subject.transport)
        try ContractViolation.check(
            silence?.code == .timedOut && silence?.requestMayHaveBeenSent == true,
            "a silent peer is timedOut, perhaps sent: \(describe(silence))")
    }

    private static func endsWhenCancelled(_ make: ([Behaviour]) async throws -> Subject) async throws {
        let subject = try await make([.silence])
        let error = await withTaskGroup(of: HTTPTransportError?.self) { group in
            group.addTask {
                await failure(of: HTTPRequest(.get, subject.address, deadline: .seconds(60)), subject.transport)
            }
            while subject.received().isEmpty { await Task.yield() }
            group.cancelAll()
            return await group.next() ?? nil
        }
        try ContractViolation.check(error?.code == .cancelled, "a cancelled task's request ends: \(describe(error))")
    }

    private static func filler(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }

    private static func failure(of request: HTTPRequest, _ transport: any HTTPTransport) async -> HTTPTransportError? {
        do throws(HTTPTransportError) {
            _ = try await transport.send(request)
            return nil
        } catch { return error }
    }

    private static func describe(_ error: HTTPTransportError?) -> String {
        error.map { "\($0.code), perhaps sent: \($0.requestMayHaveBeenSent), \($0.detail)" } ?? "a reply"
    }
}
