// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import Foundation
import LinuxSystem
public import Logging

/// The level of the log on standard error.
public struct LoggingOptions: ParsableArguments, Sendable {
    @Option(
        help: "Log at this level and above: trace, debug, info, notice, warning (default), error, critical.")
    public var logLevel: Logger.Level?

    public init() {}

    /// - Parameters:
    ///   - held: takes the lines while a screen uses the same terminal.
    ///   - usual: the level without the option.
    public func logger(_ label: String, held: HeldLog? = nil, usual: Logger.Level = .warning) -> Logger {
        let isJournal = StandardStream.error.isJournal(in: ProcessInfo.processInfo.environment)
        var logger = Logger(label: label) { label in
            if isJournal { return JournalLogHandler(label: label) }
            guard let held, isatty(STDERR_FILENO) == 1 else { return StreamLogHandler.standardError(label: label) }
            return HeldLogHandler(label: label, log: held)
        }
        logger.logLevel = logLevel ?? usual
        return logger
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
