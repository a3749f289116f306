// SPDX-License-Identifier: Apache-2.0

import CCurl
import LoginValues
import MPinClient

extension EasyHandle {
    /// Describes the request to curl. The body is lent: the request must outlive this handle.
    mutating func describe(_ request: HTTPRequest, userAgent: String?) throws(CurlFailure) {
        try set(CURLOPT_URL, request.url.absoluteText)
        try set(CURLOPT_USERAGENT, userAgent)
        try set(CURLOPT_PINNEDPUBLICKEY, EasyHandle.pinned(request.pins))
        try set(CURLOPT_MAXFILESIZE_LARGE, offset: HTTPRequest.maximumReplyLength)
        try setBody(request)
        // After `setBody`, which makes curl choose a method itself.
        try set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        try setHeaders(try EasyHandle.headerLines(request))
    }

    /// The keys in curl's notation; nil if any key is accepted.
    private static func pinned(_ pins: [PublicKeyPin]) -> String? {
        pins.isEmpty ? nil : pins.map { "sha256//\($0.base64)" }.joined(separator: ";")
    }

    private func setBody(_ request: HTTPRequest) throws(CurlFailure) {
        guard let body = request.body else {
            switch request.method {
            case .get, .delete: try set(CURLOPT_HTTPGET, 1)
            case .post, .put:
                // A request without a body sends `Content-Length: 0`.
                try set(CURLOPT_POSTFIELDSIZE, 0)
                try set(CURLOPT_COPYPOSTFIELDS, "")
            }
            return
        }
        try set(CURLOPT_POSTFIELDSIZE_LARGE, offset: body.count)
        try body.withBytes { bytes throws(CurlFailure) in
            // Safe: a `SecretBytes` keeps its bytes in one place as long as it lives, which is as long as the request.
            try unsafe bytes.withUnsafeBytes { bytes throws(CurlFailure) in
                try unsafe set(
                    CURLOPT_POSTFIELDS, unowned: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
            }
        }
    }

    /// The request's headers in curl's notation, without the one that curl would add itself.
    private static func headerLines(_ request: HTTPRequest) throws(CurlFailure) -> [String] {
        var lines: [String] = []
        for header in request.headers {
            guard header.isNameToken, isValue(header.value) else { throw CurlFailure(CURLE_BAD_FUNCTION_ARGUMENT) }
            // `Name:` alone would mean "leave it out".
            lines.append(header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            lines.append("Content-Type:")
        }
        return lines
    }

    /// Whether no byte could end the line: a value may come from a server's reply.
    private static func isValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 == UInt8(ascii: "\t") || ($0 >= 0x20 && $0 != 0x7F) }
    }
}
