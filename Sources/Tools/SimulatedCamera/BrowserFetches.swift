// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import Synchronization

/// The requests under way. It collects bodies up to the limit and counts redirects.
final class BrowserFetches: NSObject, URLSessionDataDelegate {
    private struct Fetch {
        var address: URL
        var body = Data()
        var redirects = 0
        var failure: BrowserError?
        var finish: @Sendable (Result<BrowserReply, BrowserError>) -> Void
    }

    private struct State {
        var fetches: [Int: Fetch] = [:]
        /// Tasks that were cancelled before they began, and never begin.
        var givenUp: Set<Int> = []
    }

    private let state = Mutex(State())

    /// - Parameter finish: called once, when the request is over.
    func begin(
        _ task: URLSessionTask, address: URL, finish: @escaping @Sendable (Result<BrowserReply, BrowserError>) -> Void
    ) {
        let isGivenUp = state.withLock { state in
            if state.givenUp.remove(task.taskIdentifier) != nil { return true }
            state.fetches[task.taskIdentifier] = Fetch(address: address, finish: finish)
            task.resume()
            return false
        }
        guard isGivenUp else { return }
        finish(
            .failure(
                BrowserError(
                    .unreachable, at: address.absoluteString, problem: "was not asked (cancelled)", remedy: "ask again")
            ))
    }

    /// Cancels a request that was begun, or is about to be.
    func giveUp(_ task: URLSessionTask) {
        let isUnderWay = state.withLock { state in
            if state.fetches[task.taskIdentifier] != nil { return true }
            state.givenUp.insert(task.taskIdentifier)
            return false
        }
        if isUnderWay { task.cancel() }
    }

    /// Forgets a task that was cancelled after its end.
    func forget(_ task: URLSessionTask) { _ = state.withLock { $0.givenUp.remove(task.taskIdentifier) } }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        let isAllowed = state.withLock { state in
            guard var fetch = state.fetches[task.taskIdentifier] else { return false }
            fetch.redirects += 1
            let scheme = request.url?.scheme?.lowercased() ?? ""
            let isAllowed = fetch.redirects <= BrowserSession.maximumRedirects && ["http", "https"].contains(scheme)
            if !isAllowed {
                fetch.failure = BrowserError(
                    .badRedirect, at: fetch.address.absoluteString,
                    problem: "is redirected too often or away from the web", remedy: "give the login page's own address"
                )
            }
            state.fetches[task.taskIdentifier] = fetch
            return isAllowed
        }
        completionHandler(isAllowed ? request : nil)
        if !isAllowed { task.cancel() }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = state.withLock { state in
            guard var fetch = state.fetches.removeValue(forKey: dataTask.taskIdentifier) else { return false }
            defer { state.fetches[dataTask.taskIdentifier] = fetch }
            guard fetch.failure == nil, fetch.body.count + data.count <= BrowserSession.maximumBody else {
                fetch.body = Data()
                if fetch.failure == nil {
                    fetch.failure = BrowserError(
                        .tooLarge, at: fetch.address.absoluteString,
                        problem: "sends more than \(BrowserSession.maximumBody >> 20) MiB", remedy: "give a login page")
                }
                return true
            }
            fetch.body.append(data)
            return false
        }
        if isTooLarge { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let fetch = state.withLock({ $0.fetches.removeValue(forKey: task.taskIdentifier) }) else { return }
        if let failure = fetch.failure {
            fetch.finish(.failure(failure))
        } else if let response = task.response as? HTTPURLResponse, error == nil {
            fetch.finish(
                .success(
                    BrowserReply(
                        status: response.statusCode, body: fetch.body, address: response.url ?? fetch.address)))
        } else {
            let reason = error?.localizedDescription ?? "no HTTP answer"
            fetch.finish(
                .failure(
                    BrowserError(
                        .unreachable, at: fetch.address.absoluteString, problem: "does not answer (\(reason))",
                        remedy: "check that the server runs and the address is right")))
        }
    }
}
