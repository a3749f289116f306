// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// One request of the SDK.
public struct HTTPRequest: Sendable {
    /// The longest reply that is read, in bytes. Every reply of every dialect is far shorter.
    public static let maximumReplyLength = 64 * 1024

    /// The HTTP methods that the SDK uses.
    public enum Method: String, Sendable {
        /// Requests without a body.
        case get = "GET"
        /// Most requests: their arguments are secret, and stay out of the address.
        case post = "POST"
        /// Registrations and signatures.
        case put = "PUT"
        /// Ends a signing session.
        case delete = "DELETE"
    }

    /// The HTTP method.
    public var method: Method
    /// The address. The trust policy has checked its host.
    public var url: WebAddress
    /// In sending order. Names are ASCII, and no two are equal without regard to case.
    public var headers: [HTTPHeader]
    /// Wiped after use: it may carry an access code or a one-time token.
    public var body: SecretBytes?
    /// Time for the whole exchange, name resolution and connection included.
    public var deadline: Duration
    /// Whether the server may receive the request twice without harm. Any other request must reach the server once at
    /// most.
    public var isRepeatable: Bool
    /// The keys of which the server must have one, besides a valid certificate; empty for any key. Set by
    /// ``HTTPTransport/send(_:trusting:)``.
    public var pins: [PublicKeyPin] = []

    /// Makes a request. Nothing is checked.
    ///
    /// - Parameters:
    ///   - method: the HTTP method.
    ///   - url: the address with its query.
    ///   - headers: in sending order; by default none.
    ///   - body: the bytes as sent; nil, the default, for none.
    ///   - deadline: time for the whole exchange; by default 10 s.
    ///   - isRepeatable: whether the server may receive the request twice without harm; by default it may not.
    public init(
        _ method: Method, _ url: WebAddress, headers: [HTTPHeader] = [], body: SecretBytes? = nil,
        deadline: Duration = .seconds(10), isRepeatable: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.deadline = deadline
        self.isRepeatable = isRepeatable
    }
}

/// One header of a request or a reply.
public struct HTTPHeader: Sendable, Hashable {
    /// The name, whose case does not matter.
    public var name: String
    /// The value without blanks around it.
    public var value: String

    /// Makes a header. The calls of ``MPin`` that take headers check them.
    ///
    /// - Parameters:
    ///   - name: a token of RFC 9110, at most 128 bytes.
    ///   - value: visible ASCII with blanks inside, at most 4096 bytes.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension HTTPHeader {
    /// Whether the header can be sent unchanged: a name of token characters and a value of visible ASCII with blanks
    /// inside (RFC 9110, section 5). A line end would let the value add a header.
    var isValid: Bool {
        isNameToken && name.utf8.count <= 128 && value.utf8.count <= 4096
            && value.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !value.hasPrefix(" ") && !value.hasSuffix(" ")
    }

    /// Whether the name is a `token` of RFC 9110.
    package var isNameToken: Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
