// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostIntegration
import LinuxSystem
import Provisioning

/// Reads profiles for this kiosk, and installs them: from its camera, a stick, or the operator's command.
struct ProfileInstaller {
    private let profileDirectory: ProfileDirectory
    private let places: DirectoryOptions

    /// - Parameter places: from the program's options, for checking the settings together with the profile.
    init(_ configuration: KioskConfiguration, _ places: DirectoryOptions) throws {
        profileDirectory = try places.profileDirectory(in: configuration)
        self.places = places
    }

    /// The kiosk's own key, made if there is none.
    func kioskKey() throws(ProfileFailure) -> KioskKey {
        do throws(ProvisioningError) { return try KioskKey(file: profileDirectory.kioskKeyFile) } catch {
            throw .key(error)
        }
    }

    /// The installed profile, if there is one.
    func current() throws(ProfileFailure) -> ProfileDirectory.Current? {
        do throws(FileFault) { return try profileDirectory.current() } catch { throw .file(error) }
    }

    /// The operator of this kiosk; nil when it has none yet.
    func trustedOperator() throws(ProfileFailure) -> OperatorPublicKey? {
        let layers = places.configuration.directory.map { KioskDirectories.layers(of: $0) } ?? []
        do throws(FileFault) { return try profileDirectory.trustedOperator(configuration: layers) } catch {
            throw .file(error)
        }
    }

    /// Opens a profile that is valid here.
    ///
    /// - Parameter text: of a QR code or a file.
    func open(_ text: Span<UInt8>) throws(ProfileFailure) -> (profile: KioskProfile, signer: OperatorPublicKey) {
        let (key, trusted, last) = (try kioskKey(), try trustedOperator(), try current()?.madeAt)
        let clock = ProfileClock(.ofThisMachine(), after: last, hasOperator: trusted != nil)
        do throws(ProfileError) {
            let sealed = try SealedProfile(symbol: text)
            let profile = try sealed.open(
                with: key, trusting: trusted, after: last, now: clock.now, latest: clock.latest)
            return (profile, sealed.operatorKey)
        } catch { throw .profile(error) }
    }

    /// Installs a profile, whole or not at all. All checks of settings apply to the settings with it.
    ///
    /// It checks everything again under the lock: another profile may have been installed since the person or the
    /// command looked at this one.
    func apply(_ text: Span<UInt8>) throws(ProfileFailure) {
        let lock: FileLock
        do throws(FileFault) { lock = try profileDirectory.lock() } catch { throw .file(error) }
        defer { lock.release() }
        try refuseMidway()
        let (profile, signer) = try open(text)
        defer { profileDirectory.removeAllButCurrent() }
        let staged = try profileDirectory.stage(profile, by: signer)
        if let problem = places.load(staged: staged).allProblems.first { throw .settings(problem) }
        do throws(FileFault) { try profileDirectory.commit(staged) } catch { throw .file(error) }
    }

    /// Refuses a profile during an interrupted reset: finishing that would undo the profile.
    private func refuseMidway() throws(ProfileFailure) {
        let configuration = places.load()
        guard let directory = places.configuration.directory,
            let directories = configuration.directories(directory),
            FactoryReset(configuration, directories).begun != nil
        else { return }
        throw .file(FileFault(.locked, path: profileDirectory.folder))
    }
}
