// SPDX-License-Identifier: Apache-2.0

/// How long a server that is busy asks to be left alone: 429 or 503 with `Retry-After` (RFC 9110, section 10.2.3; RFC
/// 6585, section 4). It did nothing with the request then.
enum RetryAfter {
    /// However soon a server wants to be asked again, no client asks without a pause.
    static let shortest = Duration.seconds(1)

    /// - Parameter deviceTime: seconds since 1970-01-01 UTC, for a server that does not tell its own time.
    /// - Returns: nil when the reply asks for no wait, or for one that cannot be read.
    static func wait(_ response: HTTPResponse, deviceTime: () -> Int64) -> Duration? {
        guard response.status == 429 || response.status == 503 else { return nil }
        // Of two that differ neither is known to be meant.
        let wishes = Set(values(of: "retry-after", in: response))
        guard wishes.count == 1, let text = wishes.first else { return nil }
        if let seconds = seconds(text) { return max(shortest, .seconds(seconds)) }
        guard let end = HTTPDate.seconds(text) else { return nil }
        // The difference counts, whatever the clock of either is set to.
        let now = values(of: "date", in: response).first.flatMap { HTTPDate.seconds($0) } ?? deviceTime()
        let (left, isBeyond) = end.subtractingReportingOverflow(now)
        return isBeyond ? nil : max(shortest, .seconds(left))
    }

    /// How long a client waits in all before it gives a request up.
    static func patience(with request: RequestKind) -> Duration {
        switch request {
        // Servers keep what pass 1 left for 15 s.
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
