// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import LoginValues
import Synchronization

/// A symbol source to which a test shows codes.
public final class FakeScanner: SymbolSource {
    private let stream: AsyncStream<SymbolSourceReport>
    private let sink: AsyncStream<SymbolSourceReport>.Continuation
    private let switching = Mutex<[Bool]>([])
    private let resting = Mutex<[Bool]>([])

    public init() { (stream, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64)) }

    /// The kiosk's requests so far: true to look, false to pause.
    public var switched: [Bool] { switching.withLock { $0 } }

    public func reports() -> AsyncStream<SymbolSourceReport> { stream }
    public func pause() async { switching.withLock { $0.append(false) } }
    public func resume() async { switching.withLock { $0.append(true) } }
    public func mayRest(_ mayRest: Bool) async { resting.withLock { $0.append(mayRest) } }

    /// The values of all calls that allow or forbid it to rest.
    public var rested: [Bool] { resting.withLock { $0 } }

    /// Shows a code to the camera for one frame, even when paused: a report may have been on its way.
    public func show(_ text: String) {
        let sighting = SymbolSighting(
            captured: .zero, frameWidth: 640, frameHeight: 480, centreX: 320, centreY: 240, edge: 200, brightness: 128,
            sharpness: 40)
        if let symbol = Symbol(payload: SecretBytes(copying: Array(text.utf8)), parts: 1, sighting: sighting) {
            sink.yield(.symbol(symbol))
        }
    }

    public func report(_ report: SymbolSourceReport) { sink.yield(report) }

    public func end() { sink.finish() }
}
