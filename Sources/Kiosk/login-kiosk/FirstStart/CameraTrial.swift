// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import HostIntegration
import KioskMachine
import KioskPorts
import Logging
import LoginValues
import ScannerLink
import Signage

/// Looks through a camera, in the scanner's confined process, until the person presses Enter or a code is found.
struct CameraTrial {
    /// A person who went away must not keep the camera.
    private static let patience = Duration.seconds(300)

    let source: String
    let dialogue: any SetupDialogue
    let logger: Logger

    /// - Parameter isWanted: whether a code ends the trial.
    /// - Returns: that code; nil when the person ended it, or time did.
    func run(until isWanted: @escaping @Sendable (Symbol) -> Bool) async throws -> Symbol? {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let feed = try ScannerFeed(source: source, in: directory, logger: logger)
        feed.scanner.wantsPreviews(true)
        return try await withThrowingTaskGroup(of: Ending?.self) { group in
            group.addTask {
                await feed.run()
                return nil
            }
            group.addTask {
                try await show(feed.scanner.previews)
                return nil
            }
            group.addTask { try await listen(feed.scanner.reports(), until: isWanted) }
            group.addTask {
                try await dialogue.watch(isCamera: true)
                return .ended
            }
            group.addTask {
                try await Task.sleep(for: CameraTrial.patience)
                return .ended
            }
            defer { group.cancelAll() }
            for try await case let ending? in group {
                guard case .found(let symbol) = ending else { break }
                return symbol
            }
            return nil
        }
    }

    private func show(_ pictures: AsyncStream<PreviewPicture>) async throws {
        for await picture in pictures {
            try await dialogue.show(picture, focus: CharacterPicture(picture, columns: 1, rows: 1).focus)
        }
    }

    private func listen(
        _ reports: AsyncStream<SymbolSourceReport>, until isWanted: (Symbol) -> Bool
    ) async throws -> Ending? {
        for await report in reports {
            if case .symbol(let symbol) = report, isWanted(symbol) { return .found(symbol) }
            if let finding = CameraTrial.finding(report) { try await dialogue.note(finding) }
        }
        return nil
    }

    /// An end of the trial. It does not include the end of the source.
    private enum Ending {
        case found(Symbol)
        case ended
    }

    private static func finding(_ report: SymbolSourceReport) -> Prompt? {
        switch report {
        case .symbol: Prompt(.guideCodeRead)
        case .hint(let advice): advice.hint.map { Prompt($0.promptKey) }
        case .unavailable(let trouble): Prompt(.guideNoPicture, [.name: PrintableText(trouble.reason).line])
        case .available: Prompt(.guidePictures)
        case .statistics, .looking, .skipped, .passedOver: nil
        }
    }
}
