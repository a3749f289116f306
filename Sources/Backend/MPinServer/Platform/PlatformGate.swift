// SPDX-License-Identifier: Apache-2.0

import BackendValues
package import OpenIDProvider

/// The platform of one endpoint, for applications on devices.
package struct PlatformGate: ApplicationGate {
    let platform: Platform
    let mount: PlatformMount

    package init(platform: Platform, mount: PlatformMount) {
        self.platform = platform
        self.mount = mount
    }

    package func openSession(expecting userID: String, for application: String?) async throws -> OpenedSession {
        var request: SessionRequest
        do { request = try SessionRequest(expecting: userID) } catch { throw Refusal.invalidData }
        request.application = application
        return try await platform.makeSession(request, at: mount)
    }

    package var applicationLogins: ApplicationLogins { platform.applicationLogins }
}
