// SPDX-License-Identifier: Apache-2.0

/// The time that a busy server asks clients to wait: 429 or 503 with `Retry-After` (RFC 9110, section 10.2.3; RFC
/// 6585, section 4). Such a server has not processed the request.
enum RetryAfter {
    /// The client always pauses, even if the server allows an immediate retry.
    static let shortest = Duration.seconds(1)

    /// - Parameter deviceTime: seconds since 1970-01-01 UTC, for a server that does not send its own time.
    /// - Returns: nil when the reply asks for no wait, or the wait cannot be read.
    static func wait(_ response: HTTPResponse, deviceTime: () -> Int64) -> Duration? {
        guard response.status == 429 || response.status == 503 else { return nil }
        // If there are two different values, neither can be trusted.
        let wishes = Set(values(of: "retry-after", in: response))
        guard wishes.count == 1, let text = wishes.first else { return nil }
        if let seconds = seconds(text) { return max(shortest, .seconds(seconds)) }
        guard let end = HTTPDate.seconds(text) else { return nil }
        // Only the difference of the server's times is used, so its clock may be wrong.
        let now = values(of: "date", in: response).first.flatMap { HTTPDate.seconds($0) } ?? deviceTime()
        let (left, isBeyond) = end.subtractingReportingOverflow(now)
        return isBeyond ? nil : max(shortest, .seconds(left))
    }

    /// The total time that a client waits before it abandons a request.
    static func patience(with request: RequestKind) -> Duration {
        switch request {
        // Servers keep the state of pass 1 for 15 s.
        case .pass2: .seconds(10)
        default: .seconds(30)
        }
    }

    private static func seconds(_ text: String) -> Int64? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }

    private static func values(of name: String, in response: HTTPResponse) -> [String] {
        response.headers.filter { $0.name.lowercased() == name }.map { $0.value.filter { $0 != "\t" }.trimmed }
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
