// SPDX-License-Identifier: Apache-2.0

import GPIO
public import KioskPorts
import LinuxSystem

/// A matrix of keys at GPIO lines, without any kernel driver but the chip's.
///
/// While no key is down it sleeps until a column reports an edge; then it drives one row after the other until all
/// keys are up. It refuses keys that cannot be distinguished. When the chip goes it is requested again every second.
public final class GPIOMatrixKeypad: Keypad {
    /// The name that `gpioinfo` shows as the user of the lines.
    static let user = "login-kiosk keypad"

    private let settings: MatrixSettings
    private let start:
        @Sendable (Waker, _ tell: @escaping @Sendable (MatrixReport) -> Void, _ end: @escaping @Sendable () -> Void)
            throws(SystemRefusal) -> Void

    /// A pad at the lines of a chip of this machine.
    public convenience init(_ settings: MatrixSettings) {
        let finder = ChipFinder()
        self.init(settings, clock: MonotonicThreadClock()) { rows, columns throws(LineError) in
            MatrixBanks(
                rows: try finder.request(settings.rows, on: settings.chip, rows, user: GPIOMatrixKeypad.user),
                columns: try finder.request(settings.columns, on: settings.chip, columns, user: GPIOMatrixKeypad.user))
        }
    }

    /// A pad at lines of any kind.
    ///
    /// - Parameters:
    ///   - clock: of the thread that reads the lines.
    ///   - open: requests the lines of rows and of columns, with their first settings; called again after a failure.
    public init<Bank: LineBank & ~Copyable>(
        _ settings: MatrixSettings, clock: any ThreadClock,
        open: @escaping @Sendable ([LineSettings], [LineSettings]) throws(LineError) -> MatrixBanks<Bank>
    ) {
        self.settings = settings
        start = { stop, tell, end throws(SystemRefusal) in
            try SystemThread.detach {
                MatrixRunner(settings: settings, clock: clock, stop: stop, open: open, tell: tell).run()
                end()
            }
        }
    }

    public var keyNames: KeyNames { settings.layout.keyNames }

    public func reports() -> AsyncStream<KeypadReport> {
        let settings = settings
        return stream { report, sink in
            switch report {
            case .opened(let findings):
                for finding in findings { sink.yield(.trouble(finding.sentence(settings.name))) }
                sink.yield(.available)
            case .event(let event): if let report = settings.layout.report(of: event) { sink.yield(report) }
            // The level was read again, so no press is missing.
            case .edgesLost(let count): sink.yield(.trouble("\(count) edges were not read in time"))
            case .failed(let error): sink.yield(.unavailable("\(error)"))
            }
        }
    }

    /// The reports in terms of the matrix, in place of ``reports()``: for tests of the wiring.
    public func inspection() -> AsyncStream<MatrixReport> { stream { report, sink in sink.yield(report) } }

    private func stream<Report: Sendable>(
        _ tell: @escaping @Sendable (MatrixReport, AsyncStream<Report>.Continuation) -> Void
    ) -> AsyncStream<Report> {
        let (stream, sink) = AsyncStream.makeStream(of: Report.self, bufferingPolicy: .bufferingOldest(64))
        do throws(SystemRefusal) {
            let stop = try Waker()
            sink.onTermination = { _ in stop.raise() }
            try start(stop, { tell($0, sink) }, { sink.finish() })
        } catch {
            let error = LineError(.refused, at: "keypad", problem: "\(error)", remedy: "end other programs")
            tell(.failed(error), sink)
            sink.finish()
        }
        return stream
    }
}
