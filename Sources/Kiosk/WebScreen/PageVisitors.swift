// SPDX-License-Identifier: Apache-2.0

import Glibc
import Hummingbird
import LinuxSystem
import NIOCore
import Synchronization

/// Counts the connections of each user of this machine.
///
/// All connections come from 127.0.0.1, so they are distinguished by the user of the connecting process. No other user
/// can use up the connections that the kiosk's own browser needs. Without the token, only the kiosk's own user sees the
/// screen.
final class PageVisitors: Sendable {
    /// Connections for the kiosk's own user, and for root, who can read everything anyway.
    let ownShare: Int
    /// Connections for each other user, and for all users together that the kernel does not name.
    let strangersShare: Int

    private let open = Mutex<[UInt32?: Int]>([:])
    private let identify: @Sendable (any Channel) -> UInt32?

    init(
        ownShare: Int, strangersShare: Int,
        identify: @escaping @Sendable (any Channel) -> UInt32? = PageVisitors.user(of:)
    ) {
        self.ownShare = ownShare
        self.strangersShare = strangersShare
        self.identify = identify
    }

    /// Whether the process at the other end belongs to the kiosk's own user.
    func isOwn(_ channel: any Channel) -> Bool { isOwn(identify(channel)) }

    private func isOwn(_ user: UInt32?) -> Bool { user == geteuid() || user == 0 }

    /// Counts a connection.
    /// - Returns: its user; nil when this user has too many.
    fileprivate func enter(_ channel: any Channel) -> Visitor? {
        let user = identify(channel)
        let share = isOwn(user) ? ownShare : strangersShare
        return open.withLock { open in
            guard open[user, default: 0] < share else { return nil }
            open[user, default: 0] += 1
            return Visitor(user: user)
        }
    }

    fileprivate func leave(_ visitor: Visitor) {
        open.withLock { open in
            guard let count = open[visitor.user] else { return }
            open[visitor.user] = count > 1 ? count - 1 : nil
        }
    }

    fileprivate struct Visitor {
        let user: UInt32?
    }

    private static func user(of channel: any Channel) -> UInt32? {
        guard let client = channel.remoteAddress, let address = client.ipAddress, let port = client.port,
            let server = channel.localAddress?.port
        else { return nil }
        return PeerUser.ofLoopbackConnection(from: UInt16(clamping: port), at: address, to: UInt16(clamping: server))
    }
}

/// Counts its connection while it is open, or closes it at once. Confined to the connection's event loop.
final class VisitorHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let visitors: PageVisitors
    private var visitor: PageVisitors.Visitor?

    init(_ visitors: PageVisitors) { self.visitors = visitors }

    func channelActive(context: ChannelHandlerContext) {
        visitor = visitors.enter(context.channel)
        guard visitor != nil else { return context.close(promise: nil) }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let visitor { visitors.leave(visitor) }
        visitor = nil
        context.fireChannelInactive()
    }
}

/// A request and its connection.
struct PageContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}
