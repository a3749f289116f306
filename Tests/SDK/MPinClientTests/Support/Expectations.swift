// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import MPinClient
import Testing

/// Expects that a call of the client fails with a status, and with a kind if one is given.
@discardableResult
func expect<Result>(
    _ status: Status, _ kind: MPinError.Kind? = nil, for comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws -> Result
) async -> MPinError? {
    do {
        _ = try await call()
        Issue.record(comment() ?? "the call succeeded", sourceLocation: sourceLocation)
        return nil
    } catch {
        let failure = error as? MPinError
        #expect(failure?.status == status, comment() ?? "\(error)", sourceLocation: sourceLocation)
        if let kind { #expect(failure?.kind == kind, comment() ?? "\(error)", sourceLocation: sourceLocation) }
        return failure
    }
}

/// The client's error in a call; nil for a success.
func failure<Result>(_ call: () async throws -> Result) async throws -> MPinError? {
    do {
        _ = try await call()
        return nil
    } catch let error as MPinError { return error }
}

extension FakeTransport.Behaviour {
    /// A request without an answer.
    static func lost(_ wasSent: Bool, _ code: HTTPTransportError.Code = .timedOut) -> FakeTransport.Behaviour {
        .failure(HTTPTransportError(code, requestMayHaveBeenSent: wasSent, detail: "planned"))
    }
}
