// SPDX-License-Identifier: Apache-2.0

import Doors
import Foundation
import GPIO
import HostIntegration
import LinuxSystem
import LoginValues

extension KioskConfiguration {
    /// The configured doors without invalid ones.
    func doorSettings() -> [DoorSettings] { doors.compactMap { try? DoorSettings($0) } }

    /// Problems of doors that are invalid, or cannot work here.
    var problemsOfDoors: [ConfigurationProblem] {
        doors.flatMap { door in
            let settings: DoorSettings
            do throws(DoorSettingsError) { settings = try DoorSettings(door) } catch {
                let origin = error.field.flatMap { door.settings[$0]?.origin } ?? door.origin
                return [ConfigurationProblem("doors.\(door.name): \(error)", at: origin)]
            }
            return problems(of: settings).map {
                ConfigurationProblem(
                    "doors.\(door.name): \($0.problem)", at: door.settings[$0.field]?.origin ?? door.origin)
            }
        }
    }

    private func problems(of door: DoorSettings) -> [(field: String, problem: String)] {
        var problems: [(field: String, problem: String)] = []
        if self[\.network.companyID] == nil {
            problems.append(("service", "the platform wants to know whose application it is: set network.company-id"))
        }
        switch door.action {
        case .gpio(let strike):
            if LineAddress(strike.line) == nil { problems.append(("line", "no line can have such a name")) }
            if let chip = strike.chip, ChipAddress(chip) == nil {
                problems.append(("chip", "no chip can have such a name"))
            }
        case .command(let command, _):
            if !FileManager.default.isExecutableFile(atPath: command) {
                problems.append(("command", "\(command) is not a program that this user may start"))
            } else {
                do throws(FileFault) { try OwnedFile.check(command) } catch {
                    problems.append(("command", error.advice))
                }
            }
        case .webhook(_, let tokenFile):
            guard let tokenFile else { break }
            do throws(FileFault) {
                if try TokenFile.read(tokenFile) == nil {
                    problems.append(("token-file", "\(tokenFile) has no token that this user may read"))
                }
            } catch {
                problems.append(("token-file", error.advice))
            }
        }
        return problems
    }
}

extension DoorSettings {
    init(_ configured: ConfiguredDoor) throws(DoorSettingsError) {
        try self.init(configured.name, fields: configured.settings.mapValues(\.value))
    }
}
