// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import LinuxSystem
import Synchronization

/// A number pad or keyboard of the kernel's input system, USB or other, pads that the kernel reads itself, and touch
/// panels.
///
/// It reads only devices that the selector names, and only those that no other program reads: each is grabbed when it
/// is opened. They may come and go.
public final class EvdevKeypad: Keypad {
    private let wish: InputWish
    private let system: any InputSystem
    private let named: NamedKeys
    private let note: @Sendable (KeypadChange) -> Void

    /// - Parameter note: called for each device that comes or goes, also for those present at the start. It must not
    ///   wait.
    public convenience init(_ selector: InputSelector, note: @escaping @Sendable (KeypadChange) -> Void = { _ in }) {
        self.init(InputWish(keys: selector), system: KernelInputSystem(), note: note)
    }

    /// A touch panel, whose keys a screen shows.
    ///
    /// - Parameters:
    ///   - selector: nil for the first touch panel that is there.
    ///   - mayLack: whether a missing device is not reported.
    ///   - note: called for each device that comes or goes. It must not wait.
    public convenience init(
        touch selector: InputSelector?, on screen: any TouchedScreen, mayLack: Bool = false,
        note: @escaping @Sendable (KeypadChange) -> Void = { _ in }
    ) {
        self.init(
            InputWish(touch: selector, on: screen, mayLack: mayLack), system: KernelInputSystem(), note: note)
    }

    convenience init(
        _ selector: InputSelector, system: any InputSystem, note: @escaping @Sendable (KeypadChange) -> Void = { _ in }
    ) {
        self.init(InputWish(keys: selector), system: system, note: note)
    }

    init(
        _ wish: InputWish, system: any InputSystem, note: @escaping @Sendable (KeypadChange) -> Void = { _ in }
    ) {
        self.wish = wish
        named = NamedKeys(wish.keyNames)
        self.system = system
        self.note = note
    }

    /// The names of the last device's keys; before the first device the likely ones.
    public var keyNames: KeyNames { named.names.withLock { $0 } }

    public func reports() -> AsyncStream<KeypadReport> {
        let (stream, sink) = AsyncStream.makeStream(of: KeypadReport.self, bufferingPolicy: .bufferingOldest(64))
        do throws(SystemRefusal) {
            let stop = try Waker()
            sink.onTermination = { _ in stop.raise() }
            let (wish, system, named, note) = (wish, system, named, note)
            try SystemThread.detach {
                InputRunner(
                    wish: wish, system: system, stop: stop, tell: { sink.yield($0) },
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
    let names: Mutex<KeyNames>

    init(_ likely: KeyNames) { names = Mutex(likely) }
}
