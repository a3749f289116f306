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
            On the operator's machine, make a key once (operator-key), then a profile for each kiosk (card). At the \
            kiosk, hold the card up to the camera, plug in a USB stick with the file, or type `login-kiosk fleet apply \
            FILE`. \(InstalledPages.located(in: "docs/provisioning.md")) describes all steps.
            """,
        subcommands: [
            OperatorKeyCommand.self, FleetNumberCommand.self, ProfileCardCommand.self, ProfileShowCommand.self,
            ProfileApplyCommand.self,
        ])

    /// Reports why a profile or a key is refused.
    static func telling<Result>(_ work: () throws -> Result) throws -> Result {
        do { return try work() } catch let error as ProfileError {
            throw complaint(.profile(error))
        } catch let error as ProvisioningError {
            throw complaint(.key(error))
        } catch let error as ProfileFailure {
            throw complaint(error)
        }
    }

    private static func complaint(_ failure: ProfileFailure) -> ExitCode {
        let status = failure.fault.map { ExitStatus($0, else: .cannotCreate) } ?? .dataError
        return Complaint.make("\(failure)", hint: failure.hint, status: status)
    }
}
