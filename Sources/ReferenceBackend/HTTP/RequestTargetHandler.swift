// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Lets only requests through that name one host and a path: others mean a proxy (RFC 9112, section 3.2), which this is
/// not, and what they name must not reach a part of the program that believes it.
final class RequestTargetHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private var hasRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        if case .head(let head) = unwrapInboundIn(data), !Self.isAcceptable(head) {
            hasRefused = true
            // As what the parser itself does not understand: 400, and the connection ends.
            context.fireErrorCaught(HTTPParserError.invalidURL)
        } else {
            context.fireChannelRead(data)
        }
    }

    private static func isAcceptable(_ head: HTTPRequestHead) -> Bool {
        let hosts = head.headers["Host"]
        return hosts.count == 1 && !hosts[0].isEmpty && head.uri.hasPrefix("/")
    }
}
