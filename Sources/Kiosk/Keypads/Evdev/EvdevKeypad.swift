// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import LinuxSystem
import Synchronization

/// A number pad or keyboard of the kernel's input system, USB or other, and pads that the kernel reads itself.
///
/// It reads only devices that the selector names, and only those that no other program reads: each is grabbed when it
/// is opened. They may come and go.
public final class EvdevKeypad: Keypad {
    private let selector: InputSelector
    private let system: any InputSystem
    private let named = NamedKeys()
    private let note: @Sendable (KeypadChange) -> Void

    /// - Parameter note: called for each device that comes or goes, also for those present at the start. It must not
    ///   wait.
    public convenience init(_ selector: InputSelector, note: @escaping @Sendable (KeypadChange) -> Void = { _ in }) {
        self.init(selector, system: KernelInputSystem(), note: note)
    }

    init(
        _ selector: InputSelector, system: any InputSystem, note: @escaping @Sendable (KeypadChange) -> Void = { _ in }
    ) {
        self.selector = selector
        self.system = system
        self.note = note
    }

    /// The names of the last device's keys; before the first device those of a number pad.
    public var keyNames: KeyNames { named.names.withLock { $0 } }

    public func reports() -> AsyncStream<KeypadReport> {
        let (stream, sink) = AsyncStream.makeStream(of: KeypadReport.self, bufferingPolicy: .bufferingOldest(64))
        do throws(SystemRefusal) {
            let stop = try Waker()
            sink.onTermination = { _ in stop.raise() }
            let (selector, system, named, note) = (selector, system, named, note)
            try SystemThread.detach {
                InputRunner(
                    selector: selector, system: system, stop: stop, tell: { sink.yield($0) },
                    name: { names in named.names.withLock { $0 = names } }, note: note
                ).run()
                sink.finish()
            }
        } catch {
            sink.yield(.unavailable("\(error)"))
            sink.finish()
        }
        return stream
    }
}

/// The key names that the reading thread reports.
private final class NamedKeys: Sendable {
    let names = Mutex(KeyNames.numberPad)
}
