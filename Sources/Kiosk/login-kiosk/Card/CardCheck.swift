// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Doors
import HostIntegration
import KioskMachine
import KioskPorts
import LoginValues

/// Checks that the kiosk of a configuration can do what a card asks for, because nobody tries a card before it is hung
/// up.
struct CardCheck {
    private let tasks: [KioskTask]
    private let doors: [DoorSettings]
    private let trust: TrustPolicy

    init(_ configuration: KioskConfiguration, directories: KioskDirectories) throws {
        tasks = configuration.tasks
        doors = configuration.doorSettings()
        trust = try KioskOptions.trustPolicy(directories, configuration)
    }

    /// - Throws: a complaint about a missing task, door or service.
    func check(_ task: KioskTask, at place: String?) throws {
        task == .localLogin ? try checkDoor(place) : try checkService(task, place)
    }

    private func checkDoor(_ name: String?) throws {
        guard !doors.isEmpty else {
            throw Complaint.make(
                "no door is configured", hint: "see the settings of doors: login-kiosk config show",
                status: .dataError)
        }
        guard let name else { return }
        guard let door = doors.first(where: { $0.name == name }) else {
            throw Complaint.make(
                "there is no door '\(DisplayText(name))'",
                hint: "configured are: \(doors.map(\.name).joined(separator: ", "))", status: .dataError)
        }
        guard trust.allows(door.service.origin) else {
            throw Complaint.make(
                "the door's server \(door.service.origin) is not on the trust list",
                hint: "add it: login-kiosk trust add HOST", status: .dataError)
        }
    }

    private func checkService(_ task: KioskTask, _ name: String?) throws {
        guard tasks.contains(task) else {
            throw Complaint.make(
                "the menu of this kiosk does not offer '\(task.name)'",
                hint: "offer it: menu.\(task.name): true", status: .dataError)
        }
        let services = trust.entries.filter { !$0.coversSubdomains }.map(\.description)
        guard !services.isEmpty else {
            throw Complaint.make(
                "the trust list names no service", hint: "add one: login-kiosk trust add HOST", status: .dataError)
        }
        if let name, !services.contains(name) {
            throw Complaint.make(
                "'\(DisplayText(name))' is not a service that the trust list names",
                hint: "see what is: login-kiosk trust list", status: .dataError)
        }
    }
}
