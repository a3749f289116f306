// SPDX-License-Identifier: Apache-2.0

public import LoginValues

extension LoginRequest {
    /// The login filter: of all symbols that a decoder may read, only an undivided code of at most
    /// ``LoginRequest/maximumLength`` bytes that follows the grammar asks for a login.
    public init(_ symbol: Symbol) throws(CodeRefusal) {
        guard symbol.parts == 1 else { throw .divided }
        do {
            self = try symbol.payload.withBytes { bytes throws(LoginRequestError) in try LoginRequest(symbol: bytes) }
        } catch {
            throw .notALogin(error)
        }
    }
}
