// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinClient
import Synchronization

/// One request, handed over from its caller to the thread. The thread resumes the continuation exactly once.
struct Submission: Sendable {
    let request: HTTPRequest
    /// When the caller must have its answer, the time spent waiting for a turn included.
    let deadline: ContinuousClock.Instant
    let cancellation: Cancellation
    let continuation: CheckedContinuation<Result<HTTPResponse, HTTPTransportError>, Never>
    /// Whether the server's certificate is all that is wanted: nothing is sent, and the reply's body is the certificate
    /// in PEM.
    var isForCertificate = false
    /// Whether it met a kept connection that it could not use, and gets one of its own.
    var isAlone = false

    func fail(_ code: HTTPTransportError.Code, requestMayHaveBeenSent: Bool = false, _ cause: String) {
        continuation.resume(
            returning: .failure(
                HTTPTransportError(
                    code, requestMayHaveBeenSent: requestMayHaveBeenSent,
                    detail: "\(request.method.rawValue) \(request.url.origin): \(cause)")))
    }
}

/// Set by the caller's task at any time, also before the thread has seen the request.
final class Cancellation: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    func cancel() { flag.store(true, ordering: .relaxed) }
}
