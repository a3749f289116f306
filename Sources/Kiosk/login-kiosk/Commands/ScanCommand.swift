// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Capture
import CommandLineInterface
import Foundation
import KioskPorts
import Logging
import ScannerLink
import ServiceLifecycle

struct ScanCommand: LastingCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Print the QR codes in front of the camera.",
        discussion: """
            Each code prints one line when it comes into view: its text, or base64: and its bytes in base64 if they \
            are not printable UTF-8. A code that stays in view is printed once. The same confined process decodes as \
            in a running kiosk. Codes of a structured-append set are printed when all are in one picture.
            With --json each line is an object: a symbol, a hint why a code cannot be read, or statistics.
            With --each every picture prints one line: its name, a tab, and the texts that were read, with tabs \
            between. Two tabs and a reason follow the name of a picture that cannot be read.
            For example: login-kiosk scan --each photographs
            """)

    @OptionGroup var logging: LoggingOptions
    @OptionGroup var places: ConfigurationOptions
    @OptionGroup var source: SourceOptions
    @Flag(help: "Print JSON objects, one a line.") var json = false
    @Flag(help: "Print the scanner's counters, too: once a second, to standard error or as an object.") var stats =
        false

    @Flag(help: "Look at pictures one by one, and print for each what was read.") var each = false
    @Argument(help: "With --each: pictures, films, and folders of pictures.", completion: .file())
    var pictures: [String] = []

    func validate() throws {
        if !each, let first = pictures.first {
            throw ValidationError("Give --each with pictures, or --source '\(first)'.")
        }
        if each, source.source != nil || stats { throw ValidationError("--each takes neither --source nor --stats.") }
        if each, pictures.isEmpty { throw ValidationError("Give pictures or folders with --each.") }
    }

    func run() async throws {
        var logger = logging.logger("scan")
        // The printer reports failures, so the log need not.
        if logger.logLevel == .warning { logger.logLevel = .error }
        let group = LastingGroup()
        var services = [group.signals()]
        if each {
            let scan = PictureScan(asJSON: json, logger: logger)
            services.append(group.ending { [pictures] in try await scan.run(pictures) })
            return try await group.run(services, logger: logger)
        }
        let looked = try places.require(source.settings).sourceText
        let specification = try SourceOptions.specification(of: looked)
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let feed = try ScannerFeed(source: looked, in: directory, logger: logger)
        let scanner = feed.scanner
        let printer = ScanPrinter(
            asJSON: json, withStatistics: stats, mayComeBack: !isOnDisk(specification))
        services += feed.surroundings.map { .init(service: $0) }
        services.append(.init(service: LastingWork { await scanner.run() }.andThenWaiting))
        services.append(group.ending { try await printer.run(scanner.reports()) })
        try await group.run(services, logger: logger)
    }

    /// Whether trying again is useless, because a file does not change.
    private func isOnDisk(_ source: SourceSpecification) -> Bool {
        switch source {
        case .file, .folder: return true
        case .path(let path):
            let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            return kind == nil || kind == .typeRegular || kind == .typeDirectory
        case .pipe, .descriptor, .page, .camera, .sensor, .rawStream: return false
        }
    }
}
