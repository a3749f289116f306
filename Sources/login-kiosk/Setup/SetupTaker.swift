// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import HostIntegration
import LinuxSystem
import Provisioning

/// Reads setups for this kiosk, and puts them in place: by its camera, from a stick, by the operator's command.
struct SetupTaker {
    private let place: SetupPlace
    private let places: DirectoryOptions

    /// - Parameter places: as the program was started with, to read the settings as it will with the setup.
    init(_ configuration: KioskConfiguration, _ places: DirectoryOptions) throws {
        try Restoration.refuseMidway(places)
        place = try SetupTaker.place(in: configuration)
        self.places = places
    }

    /// Where setups lie.
    static func place(in configuration: KioskConfiguration) throws -> SetupPlace {
        guard let place = configuration.setupPlace else {
            throw Complaint.make(
                "there is no home directory to keep files in", hint: "name them: --state DIR --config DIR",
                status: .configuration)
        }
        return place
    }

    /// The kiosk's own key, made when there is none.
    func kioskKey() throws(SetupFailure) -> KioskKey {
        do throws(ProvisioningError) { return try KioskKey(file: place.kioskKeyFile) } catch { throw .key(error) }
    }

    /// The setup that counts; nil where none does.
    func current() throws(SetupFailure) -> SetupPlace.Current? {
        do throws(FileFault) { return try place.current() } catch { throw .file(error) }
    }

    /// Whom this kiosk obeys; nil for one that has no operator yet.
    func trustedOperator() throws(SetupFailure) -> OperatorPublicKey? {
        try place.trustedOperator(
            configuration: places.configuration.directory.map { KioskDirectories.layers(of: $0) } ?? [])
    }

    /// What a setup says, when it counts here.
    ///
    /// - Parameters:
    ///   - text: of a QR code or a file.
    ///   - now: in seconds since 1970; 0 while the clock is not set, when no setup is too old.
    func open(
        _ text: Span<UInt8>, now: UInt64
    ) throws(SetupFailure) -> (setup: Setup, signer: OperatorPublicKey) {
        let (key, trusted, last) = (try kioskKey(), try trustedOperator(), try current()?.madeAt)
        do throws(SetupError) {
            let sealed = try SealedSetup(symbol: text)
            return (try sealed.open(with: key, trusting: trusted, after: last, now: now), sealed.operatorKey)
        } catch { throw .setup(error) }
    }

    /// Puts a setup in place, whole or not at all. Its settings are judged by all that judges settings, as they are
    /// with it.
    func apply(_ setup: Setup, by signer: OperatorPublicKey) throws(SetupFailure) {
        do throws(SetupFailure) {
            let staged = try place.stage(setup, by: signer)
            let configuration = places.load(staged: staged)
            if let problem = (configuration.problems + configuration.problemsOfMeaning).first {
                throw .settings(problem)
            }
            if let setting = configuration.setting("store.database"), configuration.text("fleet.key-file") == nil {
                throw .settings(
                    ConfigurationProblem("'store.database' needs the fleet's key, too", at: setting.origin))
            }
            try place.commit(staged)
        } catch {
            place.discardStaged()
            throw error
        }
    }
}
