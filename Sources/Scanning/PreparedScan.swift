// SPDX-License-Identifier: Apache-2.0

import KioskCore

/// A pass with the memory it works in.
struct PreparedScan {
    private let pass: ScanPass
    private var threshold: AdaptiveThreshold?
    private var half = LumaBuffer()
    private var binary = LumaBuffer()

    init(_ pass: ScanPass) {
        self.pass = pass
        threshold = pass.thresholdWindow.map { AdaptiveThreshold(window: $0, offset: 5) }
    }

    /// Symbols with positions in pixels of `frame`.
    mutating func symbols(in frame: borrowing Frame, by decoder: inout ZBarDecoder) -> [Symbol] {
        guard pass.isHalved else { return thresholded(frame, by: &decoder) }
        guard frame.width > 1, frame.height > 1 else { return [] }
        HalfScale.apply(frame, to: &half)
        // Taken out for the call, since what works on it belongs to the same value.
        var half = LumaBuffer()
        swap(&half, &self.half)
        defer { swap(&half, &self.half) }
        let found = half.withFrame(captured: frame.captured) { thresholded($0, by: &decoder) }
        var symbols: [Symbol] = []
        for symbol in found {
            let sighting = symbol.sighting.doubled(in: frame)
            if let scaled = Symbol(payload: symbol.payload, parts: symbol.parts, sighting: sighting) {
                symbols.append(scaled)
            }
        }
        return symbols
    }

    private mutating func thresholded(_ frame: borrowing Frame, by decoder: inout ZBarDecoder) -> [Symbol] {
        guard threshold != nil else { return decoder.found(in: frame) }
        threshold?.apply(frame, to: &binary)
        return binary.withFrame(captured: frame.captured) { decoder.found(in: $0) }
    }
}
