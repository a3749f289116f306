// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
public import LoginValues
public import Provisioning

extension ProfileDirectory {
    /// Checks a profile without the kiosk that it is for: each setting by itself, and the trust list.
    public static func check(_ profile: KioskProfile) throws(ProfileFailure) {
        let settings = ConfigurationFile(path: "settings", content: Data(profile.settings.utf8))
        if let problem = settings.problems.first { throw .settings(problem) }
        let refused = settings.entries.first { ConfigurationKey.named($0.name)?.isInProfiles != true }
        if let refused {
            throw .settings(
                ConfigurationProblem(
                    "'\(refused.name)' belongs to the kiosk's own settings, not to a profile",
                    at: .file(path: "settings", line: refused.line)))
        }
        do throws(TrustFileError) { _ = try services(of: profile) } catch { throw .trust(error) }
    }

    /// The services that a profile allows; nil when it keeps the kiosk's own list.
    public static func services(of profile: KioskProfile) throws(TrustFileError) -> [TrustLine]? {
        guard let trust = profile.trust else { return nil }
        return try TrustFile(path: "trust list").services(of: trust)
    }
}
