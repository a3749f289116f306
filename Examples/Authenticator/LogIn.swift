// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinClient

/// Logs in the browser that shows `qrCode`, as a person who is registered on this device.
///
/// - Returns: false when no PIN was given.
func logIn(
    with mpin: MPin, qrCode: [UInt8], as identity: String, askPIN: (String) async -> Pin?
) async throws -> Bool {
    let request = try LoginRequest(symbol: qrCode.span)
    let service = try await mpin.serviceDetails(at: request.baseURL)
    try await mpin.setBackend(service.backendURL, rpsPrefix: service.rpsPrefix, namedBy: service.namedBy)
    let user = await mpin.makeNewUser(identity)
    try await mpin.startAuthentication(of: user, accessCode: request.accessCode)
    while let pin = await askPIN("Log in at \(service.backendURL.origin)?") {
        do {
            _ = try await mpin.finishAuthentication(of: user, pin: pin, accessCode: request.accessCode)
            return true
        } catch {
            // The server counts wrong PINs. One too many is another kind, and the identity is blocked then.
            guard error.kind == .wrongPIN else { throw error }
        }
    }
    try await mpin.abortSession(request.accessCode)
    return false
}
