// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Passes on HTTP/1 requests that name one host, and a path or a whole address. It refuses tunnels and two hosts,
/// which could mislead a part of the program that trusts them (RFC 9112, section 3.2).
final class TargetHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// Whether this request is the connection's last, by its header or version.
    private var isLast = false
    private var isOver = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            guard let target = Self.target(head) else {
                isOver = true
                return context.fireErrorCaught(HTTPParserError.invalidURL)
            }
            head.uri = target.path
            if let host = target.host { head.headers.replaceOrAdd(name: "Host", value: host) }
            isLast = !head.isKeepAlive
            if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body: context.fireChannelRead(data)
        case .end:
            isOver = isLast
            context.fireChannelRead(data)
        }
    }

    /// The target host and path; nil when either is missing or ambiguous. A whole address replaces Host (section
    /// 3.2.2), `*` means the server (section 3.2.4), and HTTP/1.0, which load balancers' health checks use, has no
    /// Host.
    private static func target(_ head: HTTPRequestHead) -> (host: String?, path: String)? {
        let hosts = head.headers["Host"]
        guard hosts.count == 1 || hosts.isEmpty && head.version == .http1_0, hosts.first != "" else { return nil }
        if head.uri.hasPrefix("/") { return (hosts.first, head.uri) }
        if head.uri == "*", head.method == .OPTIONS { return (hosts.first, "/") }
        for scheme in ["http://", "https://"] where head.uri.lowercased().hasPrefix(scheme) {
            let rest = head.uri.dropFirst(scheme.count)
            let end = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
            let path = rest[end...]
            guard end > rest.startIndex else { return nil }
            return (String(rest[..<end]), path.hasPrefix("/") ? String(path) : "/" + path)
        }
        return nil
    }
}
