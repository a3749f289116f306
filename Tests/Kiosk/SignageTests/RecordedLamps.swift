// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Lamps that report their settings.
final class RecordedLamps: SignalOutput {
    struct Gone: Error {}

    private let isBroken: Bool
    private let levels: AsyncStream<SignalLevel>
    private let sink: AsyncStream<SignalLevel>.Continuation

    init(isBroken: Bool = false) {
        self.isBroken = isBroken
        (levels, sink) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    func set(_ level: SignalLevel) async throws {
        if isBroken { throw Gone() }
        sink.yield(level)
    }

    func next() async -> SignalLevel? {
        var iterator = levels.makeAsyncIterator()
        return await iterator.next()
    }
}
