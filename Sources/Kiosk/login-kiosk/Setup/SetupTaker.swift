// SPDX-License-Identifier: Apache-2.0

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
        setupDirectory = try places.setupDirectory(in: configuration)
        self.places = places
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
        let layers = places.configuration.directory.map { KioskDirectories.layers(of: $0) } ?? []
        do throws(FileFault) { return try setupDirectory.trustedOperator(configuration: layers) } catch {
            throw .file(error)
        }
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
        defer { setupDirectory.removeAllButCurrent() }
        let staged = try setupDirectory.stage(setup, by: signer)
        if let problem = places.load(staged: staged).allProblems.first { throw .settings(problem) }
        do throws(FileFault) { try setupDirectory.commit(staged) } catch { throw .file(error) }
    }

    /// Refuses a setup during an interrupted reset: finishing that would undo the setup.
    private func refuseMidway() throws(SetupFailure) {
        let configuration = places.load()
        guard let directory = places.configuration.directory,
            let directories = configuration.directories(directory),
            FactoryReset(configuration, directories).begun != nil
        else { return }
        throw .file(FileFault(.locked, path: setupDirectory.folder))
    }
}
