// SPDX-License-Identifier: Apache-2.0

/// The platform at one place as applications on devices meet it.
struct PlatformGate: ApplicationGate {
    let platform: Platform
    let mount: PlatformMount

    func openSession(expecting userID: String) async throws -> JSONObject {
        let session: [String: JSONValue] = ["projectId": .string(platform.projectID), "userId": .string(userID)]
        return try await platform.makeSession(JSONObject(session), at: mount)
    }

    func takeApplicationLogin(_ code: OneTimeToken) async -> ApplicationLogin? {
        await platform.takeApplicationLogin(code)
    }
}
