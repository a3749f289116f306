// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Capture
import CommandLineInterface
import HostIntegration

/// The source of the pictures, in one grammar for every command.
struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            A camera as `devices` names it, a sensor, a picture, a Y4M file, a folder, or a named pipe. Default: as \
            configured, else the first camera.
            """,
            discussion: """
                camera[,OPTION...][:NAME], rpicam[,size=WxH][,rate=N][:NUMBER], PATH, file[,rate=N][,loop]:PATH, \
                dir[,rate=N][,loop]:PATH or y4m:PATH
                """))
    var source: String?

    /// The option as a setting of the configuration.
    var settings: [String: String] {
        var settings: [String: String] = [:]
        settings[\.source] = source
        return settings
    }

    static func specification(of source: String) throws -> SourceSpecification {
        do { return try SourceSpecification(source) } catch {
            throw Complaint.make("\(error)", status: .usage)
        }
    }
}
