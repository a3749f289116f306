// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import HostIntegration
import Provisioning

struct FleetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Set up many kiosks without a keyboard.",
        discussion: """
            On the operator's machine, make a key once (operator-key), then a setup for each kiosk (card). At the \
            kiosk, hold the card up to the camera, plug in a USB stick with the file, or type `login-kiosk fleet apply \
            FILE`. docs/provisioning.md describes all steps.
            """,
        subcommands: [
            OperatorKeyCommand.self, FleetNumberCommand.self, SetupCardCommand.self, SetupShowCommand.self,
            SetupApplyCommand.self,
        ])

    /// Reports why a setup or a key is refused.
    static func telling<Result>(_ work: () throws -> Result) throws -> Result {
        do { return try work() } catch let error as SetupError {
            throw complaint(.setup(error))
        } catch let error as ProvisioningError {
            throw complaint(.key(error))
        } catch let error as SetupFailure {
            throw complaint(error)
        }
    }

    private static func complaint(_ failure: SetupFailure) -> ExitCode {
        let status = failure.fault.map { ExitStatus($0, else: .cannotCreate) } ?? .dataError
        return Complaint.make("\(failure)", hint: failure.hint, status: status)
    }
}
