// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import HostIntegration
import LinuxSystem
import Provisioning

/// Reads setups for this kiosk, and installs them: from its camera, a stick, or the operator's command.
struct SetupTaker {
    private let setupDirectory: SetupDirectory
    private let places: DirectoryOptions

    /// - Parameter places: from the program's options, for checking the settings together with the setup.
    init(_ configuration: KioskConfiguration, _ places: DirectoryOptions) throws {
        setupDirectory = try SetupTaker.directory(in: configuration)
        self.places = places
    }

    /// The directory of setups.
    static func directory(in configuration: KioskConfiguration) throws -> SetupDirectory {
        guard let directory = configuration.setupDirectory else {
            throw Complaint.make(
                "there is no home directory to keep files in", hint: "name them: --state DIR --config DIR",
                status: .configuration)
        }
        return directory
    }

    /// The kiosk's own key, made if there is none.
    func kioskKey() throws(SetupFailure) -> KioskKey {
        do throws(ProvisioningError) { return try KioskKey(file: setupDirectory.kioskKeyFile) } catch {
            throw .key(error)
        }
    }

    /// The installed setup, if there is one.
    func current() throws(SetupFailure) -> SetupDirectory.Current? {
        do throws(FileFault) { return try setupDirectory.current() } catch { throw .file(error) }
    }

    /// The operator of this kiosk; nil when it has none yet.
    func trustedOperator() throws(SetupFailure) -> OperatorPublicKey? {
        try setupDirectory.trustedOperator(
            configuration: places.configuration.directory.map { KioskDirectories.layers(of: $0) } ?? [])
    }

    /// Opens a setup that is valid here.
    ///
    /// - Parameter text: of a QR code or a file.
    func open(_ text: Span<UInt8>) throws(SetupFailure) -> (setup: Setup, signer: OperatorPublicKey) {
        let (key, trusted, last) = (try kioskKey(), try trustedOperator(), try current()?.madeAt)
        let clock = SetupClock(.ofThisMachine(), after: last, hasOperator: trusted != nil)
        do throws(SetupError) {
            let sealed = try SealedSetup(symbol: text)
            let setup = try sealed.open(
                with: key, trusting: trusted, after: last, now: clock.now, latest: clock.latest)
            return (setup, sealed.operatorKey)
        } catch { throw .setup(error) }
    }

    /// Installs a setup, whole or not at all. All checks of settings apply to the settings with it.
    ///
    /// It checks everything again under the lock: another setup may have been installed since the person or the
    /// command looked at this one.
    func apply(_ text: Span<UInt8>) throws(SetupFailure) {
        let lock: FileLock
        do throws(FileFault) { lock = try setupDirectory.lock() } catch { throw .file(error) }
        defer { lock.release() }
        try refuseMidway()
        let (setup, signer) = try open(text)
        do throws(SetupFailure) {
            let staged = try setupDirectory.stage(setup, by: signer)
            let configuration = places.load(staged: staged)
            if let problem = configuration.allProblems.first {
                throw .settings(problem)
            }
            try setupDirectory.commit(staged)
        } catch {
            setupDirectory.discardStaged()
            throw error
        }
    }

    /// Refuses a setup during an interrupted reset: finishing that would undo the setup.
    private func refuseMidway() throws(SetupFailure) {
        guard let directory = places.configuration.directory else { return }
        let configuration = places.load()
        do throws(FileFault) {
            let isReset = configuration.directories(directory).map { FactoryReset(configuration, $0).begun != nil }
            guard isReset != true else { throw FileFault(.locked, path: setupDirectory.wholeFolder) }
        } catch { throw .file(error) }
    }
}
