// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import HostIntegration
import KioskMachine
import KioskRuntime
import Logging
import LoginValues
import Provisioning
import Synchronization

/// Sets this kiosk up, and resets it.
struct KioskProvisioningService: ProvisioningService {
    /// The time between two looks into the folders of sticks.
    private static let interval = Duration.seconds(2)

    /// Profiles applied since the start. After one the kiosk is in use, and its card may still be in view.
    private final class Progress: Sendable {
        let isSetUp = Atomic(false)
    }

    let ownNumber: String?
    let ownKey: SecretBytes
    private let installer: ProfileInstaller
    private let factory: FactoryReset
    private let media: RemovableMedia
    private let reload: SettingsReload
    private let audit: KioskAudit?
    private let progress = Progress()
    private let logger: Logger

    init(
        _ configuration: KioskConfiguration, _ parts: KioskParts, _ places: DirectoryOptions, reload: SettingsReload,
        audit: KioskAudit?
    ) throws {
        self.audit = audit
        let directories = try places.directories(in: configuration)
        installer = try ProfileInstaller(configuration, places)
        factory = FactoryReset(configuration, directories)
        media = configuration[\.profileFolders]
        self.reload = reload
        logger = parts.logger
        var key: KioskPublicKey?
        if configuration[\.wantsProfile], parts.trust.entries.isEmpty {
            do throws(ProfileFailure) { key = try installer.kioskKey().publicKey } catch {
                logger.critical(
                    "no profile can be taken", metadata: ["reason": "\(error)", "hint": "\(error.hint)"])
            }
        }
        ownNumber = key.map { "\($0.number)" }
        ownKey = SecretBytes(copying: Array((key?.text ?? "").utf8))
    }

    func read(_ text: SecretBytes) -> Result<ProfileOffer, ProfileRefusal>? {
        guard text.withBytes({ SealedProfile.isProfile($0) }) else { return nil }
        guard ownNumber != nil, !progress.isSetUp.load(ordering: .relaxed) else { return .failure(.notWanted) }
        do throws(ProfileFailure) {
            let (profile, signer) = try open(text)
            do throws(ProfileRefusal) { return .success(try ProfileOffer(profile, by: signer)) } catch {
                return .failure(error)
            }
        } catch { return .failure(refusal(error)) }
    }

    private func open(_ text: SecretBytes) throws(ProfileFailure) -> (profile: KioskProfile, signer: OperatorPublicKey)
    {
        try text.withBytes { bytes throws(ProfileFailure) in try installer.open(bytes) }
    }

    func apply(_ text: SecretBytes) async -> Result<AppliedProfile, ProfileRefusal> {
        do throws(ProfileFailure) {
            let (profile, signer) = try open(text)
            let outcome = Result { () throws(ProfileFailure) in
                try text.withBytes { bytes throws(ProfileFailure) in try installer.apply(bytes) }
            }
            let isApplied = (try? outcome.get()) != nil
            audit?.note(.profile(operatorName: profile.operatorName, key: signer.number, .kiosk, isApplied: isApplied))
            try outcome.get()
            progress.isSetUp.store(true, ordering: .relaxed)
        } catch { return .failure(refusal(error)) }
        return .success(reload.applied())
    }

    private func refusal(_ failure: ProfileFailure) -> ProfileRefusal {
        logger.warning("a profile changes nothing", metadata: ["reason": "\(failure)", "hint": "\(failure.hint)"])
        if case .profile(let error) = failure { return ProfileRefusal(error) }
        return failure.isFullDisk ? .noRoom : .failed
    }

    func files() -> AsyncStream<[UInt8]> {
        media.watched(every: KioskProvisioningService.interval)
    }

    func reset() async -> Bool {
        do throws(FactoryReset.Failure) {
            try factory.begin(FactoryReset.Extent())
            audit?.note(.resetBegun(FactoryReset.Extent(), .keys))
            return true
        } catch {
            logger.error("the kiosk cannot be reset", metadata: ["reason": "\(error)"])
            return false
        }
    }

    /// Finishes an interrupted reset before anything else.
    ///
    /// - Returns: whether there was one, so that settings may have changed.
    static func endReset(_ configuration: KioskConfiguration, _ options: KioskOptions) async throws -> Bool {
        let reset = FactoryReset(configuration, try options.places.directories(in: configuration))
        guard let extent = reset.begun else { return false }
        let outcome = try FactoryReset.complaining { () throws(FactoryReset.Failure) in try reset.end(extent) }
        if !extent.deletesAuditLog {
            await KioskChange.resetEnded(extent, .start, isWhole: outcome.isWhole).record(configuration, reset.places)
        }
        Complaint.say("this kiosk was reset: its identities are deleted")
        for path in outcome.remaining { Complaint.say("not removed: \(path)", hint: "remove it as its owner") }
        return true
    }
}
