// SPDX-License-Identifier: Apache-2.0

import Capture
import DisplayLink
import GPIO
import HostIntegration
import Keypads

/// The output of `devices --json`.
struct DevicesDocument: Encodable {
    struct Camera: Encodable {
        let node: String
        let source: String
        let stableNames: [String]
        let name: String?
        let driver: String?
        let bus: String?
        let usbID: String?
        let serial: String?
        let problem: String?
        let formats: [Format]
        let controls: [Control]
        let holders: [Holder]
    }

    struct Format: Encodable {
        let format: String
        let width: Int
        let height: Int
        let rate: Double?
    }

    struct Control: Encodable {
        let name: String
        let minimum: Int32
        let maximum: Int32
        let standard: Int32
        let value: Int32?
    }

    struct Keypad: Encodable {
        let node: String
        let keypad: String
        let stableNames: [String]
        let name: String?
        let place: String?
        let vendor: UInt16?
        let product: UInt16?
        let problem: String?
    }

    struct Chip: Encodable {
        let node: String
        let label: String?
        let lines: Int
        let problem: String?
    }

    struct Holder: Encodable {
        let process: Int32
        let name: String
    }

    struct Panel: Encodable {
        let connector: String
        let display: String
        let size: String?
    }

    struct Sound: Encodable {
        let name: String
        let speechDevice: String
    }

    let version = 1
    let cameras: [Camera]
    let keypads: [Keypad]
    let gpioChips: [Chip]
    let panels: [Panel]
    let soundCards: [Sound]
    /// Whether the program for speech is installed.
    let hasSpeech: Bool

    init(
        cameras: [CameraDescription], keypads: [InputDescription], chips: [ChipDescription],
        panels: [ConnectedPanels.Panel], soundCards: [SoundCard], hasSpeech: Bool
    ) {
        self.cameras = cameras.map(Camera.init)
        self.keypads = keypads.map { keypad in
            Keypad(
                node: keypad.node, keypad: keypad.specification,
                stableNames: keypad.stableNames, name: keypad.identity?.name, place: keypad.identity?.place,
                vendor: keypad.identity?.vendor, product: keypad.identity?.product, problem: keypad.problem)
        }
        gpioChips = chips.map {
            Chip(node: $0.path, label: $0.label, lines: $0.lineCount, problem: $0.problem)
        }
        self.panels = panels.map { Panel(connector: $0.connector, display: $0.card, size: $0.size) }
        self.soundCards = soundCards.map { Sound(name: $0.name, speechDevice: $0.device) }
        self.hasSpeech = hasSpeech
    }
}

extension DevicesDocument.Camera {
    fileprivate init(_ camera: CameraDescription) {
        node = camera.node
        source = camera.stableNames.first ?? camera.node
        stableNames = camera.stableNames
        name = camera.identity?.name
        driver = camera.identity?.driver
        bus = camera.identity?.bus
        usbID = camera.identity?.usbID
        serial = camera.identity?.serial
        problem = camera.problem
        formats = camera.formats.map {
            DevicesDocument.Format(
                format: $0.code.description, width: $0.width, height: $0.height, rate: $0.rate)
        }
        controls = camera.controls.map {
            DevicesDocument.Control(
                name: $0.name, minimum: $0.minimum, maximum: $0.maximum, standard: $0.standard, value: $0.value)
        }
        holders = camera.holders.map { DevicesDocument.Holder(process: $0.process, name: $0.name) }
    }
}
