// SPDX-License-Identifier: Apache-2.0

import Logging
import LoginValues

/// Sends all requests of the SDK. Each passes the trust policy first.
struct TrustedTransport: Sendable {
    let transport: any HTTPTransport
    /// Nil checks nothing.
    let trust: TrustPolicy?
    /// Measures how long requests take, for the log.
    let uptime: @Sendable () -> Duration
    let logger: Logger
    /// Seconds since 1970-01-01 UTC by the device's clock.
    let deviceTime: @Sendable () -> Int64
    /// Ends early with an error when the task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void

    /// Makes the call. Repeats it while a server that has not processed it asks for a short enough wait.
    ///
    /// - Parameter namer: the service whose reply named the address; nil for addresses from a person, a code or the
    ///   configuration.
    func perform(_ call: Call, namedBy namer: Origin?) async -> CallOutcome {
        var patience = RetryAfter.patience(with: call.kind)
        while true {
            let outcome = await attempt(call, namedBy: namer)
            guard case .answered(let response) = outcome,
                let wait = RetryAfter.wait(response, deviceTime: deviceTime)
            else { return outcome }
            let isTooLong = wait > patience
            logger.notice(
                "the server is busy", metadata: ["call": "\(call.place)", "wait": "\(wait)", "waits": "\(!isTooLong)"])
            guard !isTooLong else { return outcome }
            patience -= wait
            BusyServer.observer?.waits(for: wait)
            defer { BusyServer.observer?.waits(for: nil) }
            do { try await sleep(wait) } catch {
                return .failed(
                    MPinError(.network, detail: "\(call.place): cancelled while the server was busy"),
                    mayHaveBeenSent: false)
            }
        }
    }

    /// Distrusts the connections to a server whose reply cannot be read: it may be the reply to another request.
    ///
    /// - Returns: `error`.
    func distrusting(_ call: Call, after error: MPinError) -> MPinError {
        if error.status == .responseParseError { transport.distrustConnections(to: call.request.url.origin) }
        return error
    }

    private func attempt(_ call: Call, namedBy namer: Origin?) async -> CallOutcome {
        do throws(MPinError) { try require(call.request.url.origin, namedBy: namer, for: call.place) } catch {
            return .failed(error, mayHaveBeenSent: false)
        }
        guard !Task.isCancelled else {
            return .failed(
                MPinError(.network, detail: "\(call.place): cancelled before it was sent"),
                mayHaveBeenSent: false)
        }
        let start = uptime()
        do throws(HTTPTransportError) {
            let response = try await transport.send(call.request, trusting: trust)
            logger.debug(
                "answered",
                metadata: [
                    "call": "\(call.place)", "status": "\(response.status)", "bytes": "\(response.body.count)",
                    "time": "\(uptime() - start)",
                ])
            return .answered(response)
        } catch {
            // A certificate that is not accepted, or a wrong clock, can be corrected only by the operator; a network
            // that is gone comes back.
            logger.log(
                level: error.code == .tlsFailed ? .warning : .info, "not answered",
                metadata: [
                    "call": "\(call.place)", "cause": "\(error.code.rawValue)", "detail": "\(error.detail)",
                    "time": "\(uptime() - start)",
                ])
            return .failed(failure(error, call), mayHaveBeenSent: error.requestMayHaveBeenSent)
        }
    }

    private func failure(_ error: HTTPTransportError, _ call: Call) -> MPinError {
        guard error.code == .serverKeyRefused else {
            return MPinError(
                .network, detail: "\(call.place): no reply: \(error.code.rawValue): \(error.detail)")
        }
        let refusal = TrustPolicy.Refusal.serverKeyRefused
        let remedy = refusal.remedy(call.request.url.origin, nil)
        logger.warning(
            "the server's key is not pinned, nothing was sent",
            metadata: ["call": "\(call.place)", "detail": "\(error.detail)", "hint": "\(remedy)"])
        return MPinError(.untrustedHost(refusal), detail: "\(call.place): \(error.detail): \(remedy)")
    }

    /// - Parameter place: the request and its host, or the source of the address.
    /// - Throws: ``MPinError/Kind/untrustedHost(_:)``.
    func require(_ origin: Origin, namedBy namer: Origin?, for place: String) throws(MPinError) {
        guard let trust else { return }
        let decision = if let namer { trust.check(origin, namedBy: namer) } else { trust.check(origin) }
        guard case .refused(let refusal) = decision else { return }
        logger.warning(
            "untrusted host, no request made", metadata: ["call": "\(place)", "reason": "\(refusal.rawValue)"])
        throw MPinError(
            .untrustedHost(refusal),
            detail: "\(place): the trust policy refuses this host (\(refusal.rawValue)): "
                + refusal.remedy(origin, namer))
    }
}

extension TrustPolicy.Refusal {
    fileprivate func remedy(_ origin: Origin, _ namer: Origin?) -> String {
        switch self {
        case .nothingTrusted, .notListed, .anotherService:
            guard let namer else { return "add it to the trust list if it belongs to the service" }
            let service = namer.hostAndPort
            return "if the service at \(service) may use it, trust `\(service) -> \(origin.hostAndPort)`"
        case .notHTTPS: return "it has to be reached by https, as every host with pins"
        case .serverKeyRefused:
            return "if the service changed its key, trust pin \(origin.hostAndPort) shows it, to be compared with what "
                + "the service's operator says; else somebody answers in its place"
        case .loopbackHTTP: return "http to this machine needs --allow-loopback-http, which is for trials only"
        }
    }
}
