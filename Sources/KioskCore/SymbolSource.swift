// SPDX-License-Identifier: Apache-2.0

/// Where QR codes come from: the scanner process, or a script.
public protocol SymbolSource: Sendable {
    /// What the source has to say from now on, for one consumer. A code in view is reported again and again; the newest
    /// reports are kept when the consumer is slow. The stream ends with the source.
    func reports() -> AsyncStream<SymbolSourceReport>

    /// Look at nothing until ``resume()``: somebody may be typing a PIN in front of the camera.
    func pause() async
    func resume() async

    /// Whether fewer and smaller pictures will do while they do not change. At first they will not.
    func mayRest(_ mayRest: Bool) async
}

/// A source that is no camera has nothing to spare.
extension SymbolSource {
    public func mayRest(_ mayRest: Bool) async {}
}
