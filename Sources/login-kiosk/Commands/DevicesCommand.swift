// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Capture

struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the cameras of this machine, and what to give as --source.",
        discussion: """
            For each: the name that stays the same after a restart, what it can deliver, the controls that \
            --source camera,CONTROL=NUMBER:NAME takes, and who has it open. Other users' programs are shown to root alone.
            """)

    @Flag(help: "Print a JSON object.") var json = false

    func run() throws {
        let cameras = CameraDescription.all()
        if json { return try JSONOutput.write(DevicesDocument(cameras)) }
        if cameras.isEmpty { print("no camera is there; plug one in") }
        for camera in cameras { print(DevicesCommand.text(camera)) }
    }

    private static func text(_ camera: CameraDescription) -> String {
        let title = camera.identity.map { "\(camera.node): \($0)" } ?? "\(camera.node)"
        if let problem = camera.problem { return "\(title) \(problem)" }
        let formats = camera.formats.map(\.description).joined(separator: ", ")
        let controls = camera.controls.map { control in
            "\(control.name) \(control.minimum)...\(control.maximum)" + (control.value.map { " (is \($0))" } ?? "")
        }
        var lines = [title, "  --source \(camera.stableNames.first ?? camera.node)", "  delivers \(formats)"]
        if !controls.isEmpty { lines.append("  controls \(controls.joined(separator: ", "))") }
        if !camera.holders.isEmpty {
            lines.append("  in use by \(camera.holders.map(\.description).joined(separator: ", "))")
        }
        return lines.joined(separator: "\n")
    }
}
