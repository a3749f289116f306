// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// Several keypads as one: the keys of all are reported.
///
/// A missing one is reported for the log only. It may come any time, so the merged keypad stays available.
public struct MergedKeypad: Keypad {
    private let keypads: [any Keypad]
    private let lacking: Int

    /// - Parameter others: further keypads that are not there until they report themselves.
    public init(_ keypads: [any Keypad], orLater others: [any Keypad] = []) {
        self.keypads = keypads + others
        lacking = others.count
    }

    public var keyNames: KeyNames { KeyNames(merging: keypads.map(\.keyNames)) }

    /// Ends when all keypads have ended.
    public func reports() -> AsyncStream<KeypadReport> {
        let (stream, sink) = AsyncStream.makeStream(of: KeypadReport.self, bufferingPolicy: .bufferingOldest(64))
        let (keypads, lacking) = (keypads, lacking)
        // Ends with the last keypad, and with the consumer, so that it needs no owner.
        let readers = Task {
            let presence = KeypadPresence(count: keypads.count - lacking, lacking: lacking)
            await withTaskGroup(of: Void.self) { group in
                for (index, keypad) in keypads.enumerated() {
                    group.addTask { await MergedKeypad.read(keypad, at: index, of: presence) { sink.yield($0) } }
                }
            }
            sink.finish()
        }
        sink.onTermination = { _ in readers.cancel() }
        return stream
    }

    private static func read(
        _ keypad: any Keypad, at index: Int, of presence: KeypadPresence, _ tell: (KeypadReport) -> Void
    ) async {
        for await report in keypad.reports() {
            if let report = presence.merge(report, of: index) { tell(report) }
        }
        if let end = presence.merge(.unavailable("a keypad has ended"), of: index) { tell(end) }
    }
}
