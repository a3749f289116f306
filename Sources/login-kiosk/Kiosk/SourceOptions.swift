// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Capture

/// What the camera sees, in one grammar for every command.
struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            A camera as `devices` names it, a sensor, a picture, a Y4M file, a folder, a named pipe, or a login page's \
            address. Default: as configured, else the first camera.
            """,
            discussion: """
                camera[,OPTION...][:NAME], rpicam[,size=WxH][,rate=N][:NUMBER], PATH, file[,rate=N][,loop]:PATH, \
                dir[,rate=N][,loop]:PATH, y4m:PATH or http(s)://...
                """))
    var source: String?

    /// The option as a setting of the configuration.
    var settings: [String: String] { source.map { ["source": $0] } ?? [:] }

    static func specification(of source: String) throws -> SourceSpecification {
        do { return try SourceSpecification(source) } catch {
            throw Complaint.make("\(error)", status: .usage)
        }
    }
}
