// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2

/// Sends the end of an HTTP/2 stream with the last byte of its answer; the codec has a frame of its own for it.
///
/// curl resets a stream that is still open when it has as many bytes as `content-length` announces. After 200 such
/// streams nio-http2 takes the client for an attacker and closes the connection, in the middle of the next request.
final class LastFrameHandler: ChannelOutboundHandler {
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    /// The bytes that the body lacks; nil when their number is not announced.
    private var missing: Int?
    /// The last frame, until the end follows.
    private var held: (frame: OutboundIn, promise: EventLoopPromise<Void>?)?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let frame = unwrapOutboundIn(data)
        if let held {
            self.held = nil
            if let last = held.frame.ended(by: frame) {
                if let promise { held.promise?.futureResult.cascade(to: promise) }
                return context.write(wrapOutboundOut(last), promise: held.promise ?? promise)
            }
            context.write(wrapOutboundOut(held.frame), promise: held.promise)
        }
        switch frame {
        case .headers(let headers) where !headers.endStream:
            missing = headers.headers.first { $0.name == "content-length" }.flatMap { Int($0.value) }
        case .data(let data) where !data.endStream: missing = missing.map { $0 - data.data.readableBytes }
        default: missing = nil
        }
        if missing == 0 { held = (frame, promise) } else { context.write(data, promise: promise) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        held?.promise?.fail(ChannelError.ioOnClosedChannel)
        held = nil
    }
}

/// Puts a ``LastFrameHandler`` between the network and the codec of a stream. A connection of HTTP/1 has no such codec.
final class LastFrameInstaller: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        guard let codec = try? pipeline.handler(type: HTTP2FramePayloadToHTTPServerCodec.self) else { return }
        try? pipeline.addHandler(LastFrameHandler(), position: .before(codec))
    }
}

extension HTTP2Frame.FramePayload {
    /// The frame as the last one of its stream.
    ///
    /// - Returns: nil if `next` is more than an end.
    fileprivate func ended(by next: HTTP2Frame.FramePayload) -> HTTP2Frame.FramePayload? {
        guard case .data(let end) = next, end.endStream, end.data.readableBytes == 0 else { return nil }
        switch self {
        case .headers(var headers):
            headers.endStream = true
            return .headers(headers)
        case .data(var data):
            data.endStream = true
            return .data(data)
        default: return nil
        }
    }
}
