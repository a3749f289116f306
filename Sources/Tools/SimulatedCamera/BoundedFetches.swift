// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import Synchronization

/// The requests under way of one browser. Foundation's own `data(for:)` takes a body of any length, so that a hostile
/// server could fill the memory.
final class BoundedFetches: NSObject, URLSessionDataDelegate {
    /// A server sent more than ``maximumBody``.
    struct TooLong: Error {}

    private struct Fetch {
        var body = Data()
        let continuation: CheckedContinuation<(Data, URLResponse?), any Error>
    }

    /// In bytes, enough for each page and picture of a backend.
    static let maximumBody = 8 << 20

    private let fetches = Mutex<[Int: Fetch]>([:])

    /// - Parameter session: one with this delegate.
    /// - Throws: ``TooLong``, or Foundation's reason.
    func data(for request: URLRequest, in session: URLSession) async throws -> (Data, URLResponse?) {
        let task = session.dataTask(with: request)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                fetches.withLock {
                    $0[task.taskIdentifier] = Fetch(continuation: continuation)
                    task.resume()
                }
                if Task.isCancelled { task.cancel() }
            }
        } onCancel: {
            // Foundation does not report the end of a task that was cancelled before its beginning.
            if fetches.withLock({ $0[task.taskIdentifier] != nil }) { task.cancel() }
        }
    }

    func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let tooLong = fetches.withLock { fetches -> Fetch? in
            fetches[dataTask.taskIdentifier]?.body.append(data)
            guard let fetch = fetches[dataTask.taskIdentifier], fetch.body.count > Self.maximumBody else { return nil }
            return fetches.removeValue(forKey: dataTask.taskIdentifier)
        }
        guard let tooLong else { return }
        dataTask.cancel()
        tooLong.continuation.resume(throwing: TooLong())
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let fetch = fetches.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        fetch.continuation.resume(with: error.map { .failure($0) } ?? .success((fetch.body, task.response)))
    }
}
