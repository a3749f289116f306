// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import Foundation
import LinuxSystem
public import Logging

/// How much is logged, to standard error.
public struct LoggingOptions: ParsableArguments, Sendable {
    @Option(
        help: "Log at this level and above: trace, debug, info, notice, warning (default), error, critical.")
    public var logLevel: Logger.Level?

    public init() {}

    /// - Parameters:
    ///   - held: takes the lines while a screen uses the terminal that they would go to.
    ///   - usual: the level where the option does not say one.
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
