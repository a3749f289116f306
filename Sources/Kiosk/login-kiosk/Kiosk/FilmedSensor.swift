// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Capture
import CommandLineInterface
import LinuxSystem
import Logging
import ScannerLink

/// A sensor (CSI) that `rpicam-vid` films to a named pipe for the scanner.
struct FilmedSensor: Sendable {
    /// The source for the scanner.
    let source: String
    let program: FilmingProgram

    /// The program that films; nil when it is not installed.
    static var executable: String? { InstalledProgram.path(SensorRequest.program) }

    /// - Parameter directory: the directory for the pipe, which has to last as long as the film.
    init(_ request: SensorRequest, in directory: TemporaryDirectory, logger: Logger) throws {
        guard let executable = FilmedSensor.executable else {
            throw Complaint.make(
                "\(SensorRequest.program) is not installed", hint: "apt-get install rpicam-apps, on Raspberry Pi OS",
                status: .configuration)
        }
        do throws(FileFault) { try OwnedFile.check(executable) } catch { throw Complaint.make(error) }
        let pipe = try directory.makePipe("film.yuv")
        source = request.source(readFrom: pipe)
        program = FilmingProgram(executable: executable, arguments: request.arguments, pipe: pipe, logger: logger)
    }
}
