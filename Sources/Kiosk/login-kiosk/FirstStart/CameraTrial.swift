// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import KioskPorts
import Logging
import LoginValues
import ScannerLink
import Signage

/// Looks through a camera, in the scanner's confined process, until the person types a line or a code is found.
struct CameraTrial {
    /// A person who went away must not keep the camera.
    private static let patience = Duration.seconds(300)
    /// More rows do not help to aim.
    private static let maximumRows = 18

    let source: String
    let dialogue: SetupDialogue
    let logger: Logger

    /// - Parameter isWanted: whether a code ends the trial.
    /// - Returns: that code; nil when the person ended it, or time did.
    func run(until isWanted: @escaping @Sendable (Symbol) -> Bool) async throws -> Symbol? {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let feed = try ScannerFeed(source: source, in: directory, logger: logger)
        let view = CameraView(dialogue)
        feed.scanner.wantsPreviews(true)
        return try await withThrowingTaskGroup(of: Ending?.self) { group in
            group.addTask {
                await feed.run()
                return nil
            }
            group.addTask {
                for await picture in feed.scanner.previews { try await view.show(picture) }
                return nil
            }
            group.addTask {
                for await report in feed.scanner.reports() {
                    if case .symbol(let symbol) = report, isWanted(symbol) { return .found(symbol) }
                    try await view.note(report)
                }
                return nil
            }
            group.addTask {
                try await dialogue.enter()
                return .ended
            }
            group.addTask {
                try await Task.sleep(for: CameraTrial.patience)
                return .ended
            }
            defer { group.cancelAll() }
            while let ending = try await group.next() {
                switch ending {
                case .found(let symbol): return symbol
                case .ended: return nil
                case nil: continue
                }
            }
            return nil
        }
    }

    private enum Ending {
        case found(Symbol)
        case ended
    }

    /// The picture and the line below it.
    private actor CameraView {
        private let dialogue: SetupDialogue
        /// Whether the terminal moves its cursor.
        private let moves = ProcessInfo.processInfo.environment["TERM"].map { $0 != "dumb" && !$0.isEmpty } ?? false
        private var painted = 0
        private var hint: ScannerHint?
        private var codes = 0
        private var said = ""

        init(_ dialogue: SetupDialogue) { self.dialogue = dialogue }

        func note(_ report: SymbolSourceReport) async throws {
            switch report {
            case .symbol:
                codes += 1
                if codes == 1 { try await tell("a QR code is read") }
            case .hint(let advice):
                hint = advice.hint
                if let hint { try await tell(CameraView.words(of: hint)) }
            case .unavailable(let trouble): try await tell("no picture: \(PrintableText(trouble.reason).line)")
            case .available: try await tell("pictures come")
            case .statistics, .looking, .skipped, .passedOver: break
            }
        }

        func show(_ picture: PreviewPicture) async throws {
            guard moves else { return }
            let size = dialogue.size
            let rows = min(size.rows - 3, CameraTrial.maximumRows)
            // A character is twice as high as wide.
            let columns = min(size.columns - 1, rows * 2 * PreviewPicture.width / PreviewPicture.height)
            guard rows > 0, columns > 0 else { return }
            let drawn = CharacterPicture(picture, columns: columns, rows: rows)
            let state = codes > 0 ? "QR code read" : hint.map(CameraView.words) ?? "no QR code yet"
            let lines = drawn.lines + ["focus \(drawn.focus), light \(drawn.light), \(state)"]
            try await dialogue.repaint(lines, over: painted)
            painted = lines.count
        }

        /// A line of its own, once.
        private func tell(_ words: String) async throws {
            guard words != said else { return }
            said = words
            painted = 0
            try await dialogue.note(words)
        }

        private static func words(of hint: ScannerHint) -> String {
            switch hint {
            case .tooDark: "it is too dark"
            case .tooBright: "it is too bright"
            case .blurred: "the picture is blurred"
            case .tooSmall: "a code is too small"
            case .unreadable: "a code is in view and cannot be read"
            case .mirrored: "the camera mirrors"
            case .tooManyCodes: "too many codes are in view"
            }
        }
    }
}
