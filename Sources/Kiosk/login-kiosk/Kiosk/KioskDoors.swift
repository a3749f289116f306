// SPDX-License-Identifier: Apache-2.0

import AuditTrail
import CommandLineInterface
import Doors
import Foundation
import GPIO
import HostIntegration
import KioskPorts
import KioskRuntime
import LinuxSystem
import Logging
import LoginValues

/// The doors that people open by logging in here, with everything that they need.
struct KioskDoors {
    let logins: [LocalLogin]
    private let doors: [GuardedDoor]

    /// A door that fails is reported, and the kiosk continues with the others.
    ///
    /// - Parameter record: takes an entry for each opening and refusal, and returns when it is on the disk or lost.
    init(
        _ configuration: KioskConfiguration, _ parts: KioskParts, record: @escaping @Sendable (AuditEntry) async -> Void
    ) {
        var logins: [LocalLogin] = []
        var doors: [GuardedDoor] = []
        let surroundings = DoorSurroundings(
            record: record, wallClock: { Int64(Date().timeIntervalSince1970) }, logger: parts.logger)
        for settings in configuration.doorSettings() {
            do throws(LineError) {
                let door = try KioskDoors.door(settings, parts, surroundings)
                logins.append(try KioskDoors.login(settings, parts, opening: door))
                doors.append(door)
            } catch {
                parts.logger.error("a door is missing", metadata: ["door": "\(settings.name)", "reason": "\(error)"])
            }
        }
        self.logins = logins
        self.doors = doors
    }

    /// The work that accompanies the kiosk.
    var work: [LastingWork] { doors.map { door in LastingWork { await door.run() }.andThenWaiting } }

    /// Reads a door's token. Without a readable token the door does not open.
    private static func token(_ file: String?) throws(LineError) -> SecretBytes? {
        guard let file else { return nil }
        do throws(FileFault) { return try TokenFile.read(file) } catch {
            throw LineError(.notPermitted, at: file, problem: error.problem, remedy: error.hint)
        }
    }

    private static func login(
        _ settings: DoorSettings, _ parts: KioskParts, opening door: GuardedDoor
    ) throws(LineError) -> LocalLogin {
        let application = parts.application(at: settings.service)
        guard
            let login = LocalLogin(
                settings.name, application: application, discovery: settings.backend, door: door, trust: parts.trust)
        else {
            throw LineError(
                .notPermitted, at: "\(settings.service.origin)", problem: "not on the trust list",
                remedy: "login-kiosk trust add")
        }
        return login
    }

    private static func door(
        _ door: DoorSettings, _ parts: KioskParts, _ surroundings: DoorSurroundings
    ) throws(LineError) -> GuardedDoor {
        switch door.action {
        case .gpio(let strike):
            return .strike(door.name, bank: try strike.output(), pulse: strike.pulse, in: surroundings)
        case .command(let command, let arguments):
            return .command(door.name, command, arguments: arguments, in: surroundings)
        case .webhook(let url, let tokenFile):
            return .webhook(
                door.name, url, token: try token(tokenFile), transport: parts.transport,
                trust: parts.trust, in: surroundings)
        }
    }
}

extension DoorSettings.Strike {
    /// The line as an inactive output.
    fileprivate func output() throws(LineError) -> LineRequest {
        let address: ChipAddress? = if let chip { ChipAddress(chip) } else { .usual }
        guard let address, let line = LineAddress(line) else {
            throw LineError(
                .notFound, at: chip ?? line, problem: "no chip or line can have such a name",
                remedy: "take names of at most 31 bytes, or numbers")
        }
        return try ChipFinder().request(
            [line], on: address, [LineSettings(.output(isActive: false), isActiveLow: isActiveLow)],
            user: "login-kiosk door")
    }
}

/// A file with a token for another server: one line of visible ASCII.
enum TokenFile {
    /// - Returns: nil when its first line is not a token.
    /// - Throws: when it cannot be read, or other users could read it.
    static func read(_ path: String) throws(FileFault) -> SecretBytes? {
        let file = try OwnedFile.open(path, .secret)
        guard let token = SecretLines(descriptor: file.descriptor).next(),
            token.withBytes({ bytes in bytes.indices.allSatisfy { (0x21...0x7E).contains(bytes[$0]) } })
        else { return nil }
        return token
    }
}
