// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Capture
import CommandLineInterface
import Foundation
import KioskPorts
import LinuxSystem
import Logging
import ScannerLink

/// Looks at pictures one by one. Each gets a scanner's process of its own: a picture that breaks one harms no other.
struct PictureScan: Sendable {
    let asJSON: Bool
    let logger: Logger

    /// Prints a line for each picture.
    ///
    /// - Parameter paths: pictures, films and folders of pictures.
    /// - Throws: when the reader of the output is gone, and at the end when pictures could not be read.
    func run(_ paths: [String]) async throws {
        var (count, faults) = (0, 0)
        for path in paths {
            var pictures = [path]
            if PictureScan.isFolder(path) {
                do throws(FrameSourceError) { pictures = try FolderListing.pictures(in: path) } catch {
                    try write(PictureLine(path, fault: "\(error)"))
                    (count, faults) = (count + 1, faults + 1)
                    continue
                }
            }
            for picture in pictures {
                let line = try await look(at: picture)
                try Task.checkCancellation()
                try write(line)
                count += 1
                if line.fault != nil { faults += 1 }
            }
        }
        guard faults > 0 else { return }
        throw Complaint.make(
            "\(faults) of \(count) could not be read", hint: "their lines have the reasons",
            status: faults < count ? .dataError : .noInput)
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        // Safe: the flag is written during the call.
        return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private func look(at picture: String) async throws -> PictureLine {
        let source = "file:" + picture
        do throws(FrameSourceError) { _ = try SourceSpecification(source) } catch {
            return PictureLine(picture, fault: error.problem)
        }
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let scanner = try ScannerFeed(source: source, in: directory, logger: logger).scanner
        async let running: Void = scanner.run()
        var symbols: [Symbol] = []
        for await report in scanner.reports() {
            switch report {
            // A frame of a film may show the same code as an earlier one.
            case .symbol(let symbol):
                if !symbols.contains(where: { $0.payload == symbol.payload }) { symbols.append(symbol) }
            // A file does not change: the scanner is not started again, because `running` ends with this function.
            case .unavailable(let trouble), .skipped(let trouble):
                return PictureLine(picture, fault: trouble.reason)
            case .looking(let duration):
                StandardStream.error.write(
                    "\(Complaint.program): still looking at \(PrintableText(picture).line), for \(duration.text)\n")
            case .available, .hint, .statistics, .passedOver: break
            }
        }
        await running
        return PictureLine(picture, symbols)
    }

    private func write(_ line: PictureLine) throws {
        if asJSON { try JSONOutput.write(PictureRecord(line)) } else { try Output.write(line.text + "\n") }
    }
}

/// The result of one picture.
struct PictureLine: Sendable {
    let picture: String
    var symbols: [Symbol] = []
    /// The reason why the picture cannot be read.
    var fault: String?

    init(_ picture: String, _ symbols: [Symbol]) {
        self.picture = picture
        self.symbols = symbols
    }

    /// - Parameter fault: may begin with the picture's name, which is left out.
    init(_ picture: String, fault: String) {
        self.picture = picture
        let start = picture + ": "
        self.fault = fault.hasPrefix(start) ? String(fault.dropFirst(start.count)) : fault
    }

    /// The picture's name, a tab, and the texts with tabs between. Two tabs precede a reason, and no text is empty, so
    /// that no code can pass for one.
    var text: String {
        var columns = [PrintableText(picture).line]
        columns += symbols.map { PrintableText($0).line }
        if let fault { columns += ["", PrintableText(fault).line] }
        return columns.count == 1 ? columns[0] + "\t" : columns.joined(separator: "\t")
    }
}

/// One line of `scan --each --json`.
struct PictureRecord: Encodable {
    var version = 1
    var event = "picture"
    var picture: String
    /// Left out for a picture that cannot be read.
    var codes: [ScanRecord]?
    var reason: String?

    init(_ line: PictureLine) {
        picture = line.picture
        codes = line.fault == nil ? line.symbols.map { ScanRecord.symbol($0) } : nil
        reason = line.fault
    }
}
