// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import Synchronization

/// The requests that are under way: collects bodies up to the limit and counts redirects.
final class BrowserFetches: NSObject, URLSessionDataDelegate {
    private struct Fetch {
        var address: URL
        var body = Data()
        var redirects = 0
        var failure: BrowserError?
        var finish: @Sendable (Result<BrowserReply, BrowserError>) -> Void
    }

    private let fetches = Mutex<[Int: Fetch]>([:])

    /// - Parameter finish: called once, when the request is over.
    func add(
        _ task: URLSessionTask, address: URL, finish: @escaping @Sendable (Result<BrowserReply, BrowserError>) -> Void
    ) {
        fetches.withLock { $0[task.taskIdentifier] = Fetch(address: address, finish: finish) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        let isAllowed = fetches.withLock { fetches in
            guard var fetch = fetches[task.taskIdentifier] else { return false }
            fetch.redirects += 1
            let scheme = request.url?.scheme?.lowercased() ?? ""
            let isAllowed = fetch.redirects <= BrowserSession.maximumRedirects && ["http", "https"].contains(scheme)
            if !isAllowed {
                fetch.failure = BrowserError(
                    .badRedirect, at: fetch.address.absoluteString,
                    problem: "is redirected too often or away from the web", remedy: "give the login page's own address"
                )
            }
            fetches[task.taskIdentifier] = fetch
            return isAllowed
        }
        completionHandler(isAllowed ? request : nil)
        if !isAllowed { task.cancel() }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = fetches.withLock { fetches in
            guard var fetch = fetches.removeValue(forKey: dataTask.taskIdentifier) else { return false }
            defer { fetches[dataTask.taskIdentifier] = fetch }
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
        guard let fetch = fetches.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
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
