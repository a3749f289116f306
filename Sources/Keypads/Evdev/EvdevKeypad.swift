// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// A number pad or keyboard of the kernel's input system, USB or other, and pads that the kernel reads itself.
///
/// Only devices that the selector names are heard, and only as long as no other program hears them: each is grabbed
/// when it is opened. They may come and go.
public final class EvdevKeypad: Keypad {
    private let selector: InputSelector
    private let system: any InputSystem

    public convenience init(_ selector: InputSelector) { self.init(selector, system: KernelInputSystem()) }

    init(_ selector: InputSelector, system: any InputSystem) {
        self.selector = selector
        self.system = system
    }

    public func reports() -> AsyncStream<KeypadReport> {
        let (stream, sink) = AsyncStream.makeStream(of: KeypadReport.self, bufferingPolicy: .bufferingOldest(64))
        do throws(KeypadError) {
            let stop = try StopPipe()
            sink.onTermination = { _ in stop.raise() }
            let (selector, system) = (selector, system)
            try ReadingThread.start {
                InputRunner(selector: selector, system: system, stop: stop, tell: { sink.yield($0) }).run()
                sink.finish()
            }
        } catch {
            sink.yield(.unavailable("\(error)"))
            sink.finish()
        }
        return stream
    }
}
