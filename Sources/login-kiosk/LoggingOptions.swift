// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import Foundation
import HostIntegration
import LinuxSystem
public import Logging

/// How much is logged, to standard error.
struct LoggingOptions: ParsableArguments {
    @Option(
        help: "Log at this level and above: trace, debug, info, notice, warning (default), error, critical.")
    var logLevel: Logger.Level?

    /// - Parameters:
    ///   - held: takes the lines while a screen uses the terminal that they would go to.
    ///   - configuration: says the level where the option does not.
    func logger(_ label: String, held: HeldLog? = nil, _ configuration: KioskConfiguration? = nil) -> Logger {
        let isJournal = StandardStream.error.isJournal(in: ProcessInfo.processInfo.environment)
        var logger = Logger(label: label) { label in
            if isJournal { return JournalLogHandler(label: label) }
            guard let held, isatty(STDERR_FILENO) == 1 else { return StreamLogHandler.standardError(label: label) }
            return HeldLogHandler(label: label, log: held)
        }
        logger.logLevel =
            logLevel ?? configuration?.text("log-level").flatMap(Logger.Level.init(rawValue:)) ?? .warning
        return logger
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
