// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Logging
import NIOCore

/// An HTTP/1.1 connection whose requests are handled on the thread that reads and writes it: passing each one to another
/// thread and back takes longer than most requests do.
struct HTTPConnectionOnItsLoop: ServerChildChannel {
    let connection: HTTP1Channel

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        connection.setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
            await connection.handle(value: value, logger: logger)
        }
    }
}
