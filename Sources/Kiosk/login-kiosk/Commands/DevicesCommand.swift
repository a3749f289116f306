// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Capture
import CommandLineInterface
import DisplayLink
import GPIO
import HostIntegration
import Keypads

struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List cameras, keypads, panels and sound cards, with the values that options and settings take.",
        discussion: """
            A camera is listed with its stable name, its formats, the controls that --source \
            camera,CONTROL=NUMBER:NAME accepts, and the programs that have it open. Only root sees the programs of \
            other users.
            Keypads are input devices with digit keys, touch panels, and GPIO chips to which a key matrix can be wired.
            Panels are those that are connected to a graphics card. Sound cards are those that play.
            For example: login-kiosk devices --json
            """)

    @Flag(help: "Print a JSON object.") var json = false

    func run() throws {
        let cameras = CameraDescription.all()
        let keypads = InputDescription.all()
        let chips = ChipFinder().all()
        let panels = ConnectedPanels.all
        let sound = SoundCard.all()
        let hasSpeech = InstalledProgram.path(SpeechCheck.program) != nil
        if json {
            return try JSONOutput.write(
                DevicesDocument(
                    cameras: cameras, keypads: keypads, chips: chips, panels: panels, soundCards: sound,
                    hasSpeech: hasSpeech))
        }
        if cameras.isEmpty { print("no camera is there; plug one in") }
        for camera in cameras { print(DevicesCommand.text(camera)) }
        if keypads.isEmpty { print("no keypad is there that is an input device") }
        for keypad in keypads { print(DevicesCommand.text(keypad)) }
        for chip in chips { print(DevicesCommand.text(chip)) }
        for panel in panels { print(DevicesCommand.text(panel)) }
        for card in sound { print("\(card.name): sound card\n  screen.speech-device: \(card.device)") }
        if !sound.isEmpty, !hasSpeech { print("speech needs a program: apt-get install \(SpeechCheck.program)") }
    }

    private static func text(_ panel: ConnectedPanels.Panel) -> String {
        "\(panel.connector): panel\(panel.size.map { ", \($0)" } ?? "")\n  --display \(panel.card)"
    }

    private static func text(_ keypad: InputDescription) -> String {
        let kind = keypad.isTouchPanel ? "touch panel" : "keypad"
        let title = keypad.identity.map { "\(keypad.node): \(kind) \($0)" } ?? "\(keypad.node)"
        if let problem = keypad.problem { return "\(title) \(problem)" }
        return "\(title)\n  --keypad \(keypad.specification)"
    }

    private static func text(_ chip: ChipDescription) -> String {
        guard let label = chip.label else { return "\(chip.path): GPIO chip \(chip.problem ?? "")" }
        return "\(chip.path): GPIO chip \(label), \(chip.lineCount) lines\n"
            + "  --keypad gpio:chip=\(label),rows=LINE/...,columns=LINE/..."
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
