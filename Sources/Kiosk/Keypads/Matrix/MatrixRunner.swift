// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import LinuxSystem

/// Runs a pad at GPIO lines: waits for an edge, scans while a key is down, and restarts after the chip was gone.
/// Blocks, so it has a thread of its own.
struct MatrixRunner<Bank: LineBank & ~Copyable> {
    /// The time before it requests refused lines again.
    static var retry: Duration { .seconds(1) }
    /// The longest sleep: a removed chip does not wake the thread that waits for edges, and an edge may be missed.
    static var rest: Duration { .milliseconds(500) }

    let settings: MatrixSettings
    let clock: any ThreadClock
    let stop: Waker
    /// Requests the lines of rows and of columns, with their first settings.
    let open: ([LineSettings], [LineSettings]) throws(LineError) -> MatrixBanks<Bank>
    let tell: (MatrixReport) -> Void

    /// Runs until it is told to stop.
    func run() {
        var lastFailure: LineError?
        while !stop.isRaised {
            do throws(LineError) {
                var pins = MatrixPins(try banks(), settings, clock: clock)
                tell(.opened(try pins.measure().findings))
                lastFailure = nil
                try watch(&pins)
            } catch {
                if error != lastFailure { tell(.failed(error)) }
                lastFailure = error
                stop.wait(within: Self.retry)
            }
        }
    }

    private func banks() throws(LineError) -> MatrixBanks<Bank> {
        try open(
            settings.rows.map { _ in settings.row(isDriven: false) },
            settings.columns.map { _ in settings.column(tellsEdges: false) })
    }

    private func watch(_ pins: inout MatrixPins<Bank>) throws(LineError) {
        var counter = EdgeCounter()
        while !stop.isRaised {
            try pins.arm()
            try waitForKey(&pins, &counter)
            try pins.disarm()
            try followKeys(&pins)
        }
    }

    /// Returns when a column is or was active, or when told to stop.
    private func waitForKey(_ pins: inout MatrixPins<Bank>, _ counter: inout EdgeCounter) throws(LineError) {
        // The level decides, not the edge: it stays when an edge was lost.
        while try pins.banks.columns.values() == 0 {
            switch try pins.banks.columns.wait(within: Self.rest, orStop: stop.descriptor) {
            case .nothing: continue
            case .stopped: return
            case .edges:
                let lost = counter.lost(in: try pins.banks.columns.takeEdges())
                if lost > 0 { tell(.edgesLost(lost)) }
                return
            }
        }
    }

    /// Scans until all keys have been up for a while.
    private func followKeys(_ pins: inout MatrixPins<Bank>) throws(LineError) {
        var decoder = MatrixDecoder()
        let begin = clock.now()
        repeat {
            let scan = try pins.look()
            for event in decoder.looked(scan, at: clock.now()) { tell(.event(event)) }
            clock.pause(for: MatrixTiming.scanPeriod)
            // After an edge the contact may be open for a moment, because it bounces.
        } while !stop.isRaised && (!decoder.isQuiet || clock.now() - begin < MatrixTiming.release)
    }
}

/// A report of a pad at GPIO lines, positions of keys included: for tests of the wiring, not for logs.
public enum MatrixReport: Hashable, Sendable {
    /// The lines are available, with these faults.
    case opened([WiringFinding])
    case event(MatrixEvent)
    /// This many edges were not read in time. The keys are scanned again.
    case edgesLost(Int)
    /// The lines are not available; they are requested again every second.
    case failed(LineError)
}
