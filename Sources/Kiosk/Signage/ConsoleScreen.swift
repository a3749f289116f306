// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
public import KioskPorts
import Synchronization

/// The screen of a terminal of any size, or of a display that shows line after line.
///
/// On a terminal the view is redrawn in place and follows resizes. Otherwise, or if asked for, each change is one line
/// of text: for files, pipes and braille displays. Both show no more of a PIN than the number of typed digits.
public final class ConsoleScreen: KioskScreen {
    public enum Style: Sendable {
        /// Redrawn in place when the output is a terminal, plain otherwise.
        case automatic
        case plain
        /// Plain, in ASCII.
        case ascii

        /// The style for the terminal that the environment describes: a dumb one cannot move its cursor, and without
        /// UTF-8 only ASCII is readable. Without a locale a terminal has UTF-8, as the kernel's console has.
        public init(environment: [String: String]) {
            let names = ["LC_ALL", "LC_CTYPE", "LANG"]
            let locale = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
            let encoding = locale.split(separator: ".", maxSplits: 1).dropFirst().first?.prefix { $0 != "@" }
            let hasUTF8 =
                encoding.map { ["utf8", "utf-8"].contains($0.lowercased()) } ?? !["C", "POSIX"].contains(locale)
            self = !hasUTF8 ? .ascii : environment["TERM"] == "dumb" ? .plain : .automatic
        }
    }

    private struct State {
        var painter: ConsolePainter
        var view: KioskView?
        var isOpen = false
        var lastSentence = ""
    }

    private let output: Int32
    private let isPlain: Bool
    private let isASCII: Bool
    private let layout: ConsoleLayout
    private let state: Mutex<State>
    /// Writing to a stopped terminal blocks this queue and nothing else.
    private let queue = DispatchQueue(label: "login-kiosk.console-screen")
    // Safe: made in `init`, then only activated and cancelled, which dispatch sources allow from any thread.
    private nonisolated(unsafe) let resizes: any DispatchSourceSignal

    /// - Parameters:
    ///   - output: the caller keeps it open, and closes it.
    ///   - languages: the view chooses the one that is shown.
    ///   - usesColour: false for people and terminals that want none, for example by the environment variable
    ///     `NO_COLOR`.
    public init(
        output: Int32 = 1, style: Style = .automatic, usesColour: Bool = true,
        languages: Languages = .standard
    ) {
        self.output = output
        isPlain = style != .automatic || isatty(output) == 0
        isASCII = style == .ascii
        layout = ConsoleLayout(languages: languages)
        state = Mutex(State(painter: ConsolePainter(layout: layout, usesColour: usesColour)))
        unsafe resizes = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: queue)
        if !isPlain {
            unsafe resizes.setEventHandler { [weak self] in self?.repaint() }
        }
        unsafe resizes.activate()
    }

    deinit {
        unsafe resizes.cancel()
        if state.withLock({ $0.isOpen }) { ConsoleScreen.write(ConsolePainter.closing, to: output) }
    }

    /// Any page fits into a view of one line of text.
    public var documentRoom: DocumentPageSize? {
        isPlain ? .standard : layout.documentRoom(in: ConsoleScreen.size(of: output))
    }

    public func leavesFactsOut(of view: KioskView) -> Bool {
        !isPlain && layout.leavesFactsOut(of: view, size: ConsoleScreen.size(of: output))
    }

    /// A line of text has no picture.
    public func hasRoom(for entry: ViewEntry) -> Bool {
        !isPlain && layout.hasRoom(for: entry, size: ConsoleScreen.size(of: output))
    }

    public func show(_ view: KioskView) async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                paint(view)
                continuation.resume()
            }
        }
    }

    /// Restores the terminal. A later view opens it again.
    public func close() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                let wasOpen = state.withLock { state in
                    defer { state.isOpen = false }
                    state.painter = ConsolePainter(layout: layout, usesColour: state.painter.usesColour)
                    return state.isOpen
                }
                if wasOpen { ConsoleScreen.write(ConsolePainter.closing, to: output) }
                continuation.resume()
            }
        }
    }

    /// Repaints everything. A console sends SIGWINCH also after it has loaded a font with missing letters.
    private func repaint() {
        let view = state.withLock { state in
            state.painter.forget()
            return state.isOpen ? state.view : nil
        }
        if let view { paint(view) }
    }

    private func paint(_ view: KioskView) {
        let size = isPlain ? .standard : ConsoleScreen.size(of: output)
        let text = state.withLock { state -> String in
            state.view = view
            if isPlain {
                let words = layout.sentence(of: view)
                let sentence = isASCII ? ASCIIText.transliterated(words) : words
                defer { state.lastSentence = sentence }
                return sentence == state.lastSentence ? "" : sentence + "\n"
            }
            let opening = state.isOpen ? "" : ConsolePainter.opening
            state.isOpen = true
            return opening + state.painter.paint(view, size: size)
        }
        ConsoleScreen.write(text, to: output)
    }

    /// The size of the terminal behind a descriptor.
    public static func size(of descriptor: Int32) -> ScreenSize {
        var window = winsize()
        // Safe: the call fills our own structure.
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return .standard
        }
        return ScreenSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    /// Writes everything, or gives up when the terminal is gone.
    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            // Safe: at most the size of our own array.
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }
}
