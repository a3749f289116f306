// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Lets requests of HTTP/1 through that name one host, and a path or a whole address. A tunnel is refused, and so are
/// two hosts: what they name must not reach a part of the program that believes it (RFC 9112, section 3.2).
final class TargetHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// The client says that nothing follows a request, or its version of HTTP does.
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

    /// Host and path that are meant; nil where that is not one of each. A whole address counts instead of the Host
    /// (section 3.2.2), `*` means the server (section 3.2.4), and HTTP/1.0, which health checks of load balancers make
    /// use of, has no Host.
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
