// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
public import Logging

/// How much is logged, to standard error.
struct LoggingOptions: ParsableArguments {
    @Option(help: "Log at this level and above: trace, debug, info, notice, warning, error, critical.")
    var logLevel: Logger.Level = .warning

    func logger(_ label: String) -> Logger {
        var logger = Logger(label: label) { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = logLevel
        return logger
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
