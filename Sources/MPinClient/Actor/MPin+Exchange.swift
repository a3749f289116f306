// SPDX-License-Identifier: Apache-2.0

import Logging
import LoginValues

extension MPin {
    /// Carries a flow's calls out until it has its outcome.
    func run<Machine: Flow & ~Copyable>(_ flow: consuming Machine) async throws(MPinError) -> Machine.Outcome {
        var flow = flow
        var step = try flow.start()
        while true {
            switch step {
            case .finish(let outcome): return outcome
            case .make(let call): step = try flow.receive(await perform(call))
            }
        }
    }

    func run<Reply>(_ exchange: Exchange<Reply>) async throws(MPinError) -> Reply {
        try await run(SingleExchange(exchange: exchange))
    }

    /// The one place where a request leaves: no way around the trust policy leads here.
    private func perform(_ call: Call) async -> CallOutcome {
        if let refusal = refusal(of: call.request.url.origin) {
            logger.warning("untrusted host, no request made", metadata: ["call": "\(call.place)"])
            let error = MPinError(
                status: .untrustedDomainError,
                detail: "\(call.place): the trust policy refuses this host (\(refusal.rawValue)): add it to the trust "
                    + "list if it belongs to the service",
                trustRefusal: refusal)
            return .failed(error, mayHaveBeenSent: false)
        }
        guard !Task.isCancelled else {
            return .failed(
                MPinError(status: .networkError, detail: "\(call.place): cancelled before it was sent"),
                mayHaveBeenSent: false)
        }
        let start = uptime()
        do throws(HTTPTransportError) {
            let response = try await transport.send(call.request)
            logger.debug(
                "answered",
                metadata: [
                    "call": "\(call.place)", "status": "\(response.status)", "bytes": "\(response.body.count)",
                    "time": "\(uptime() - start)",
                ])
            forgetProjectIfGone(response.status, call)
            return .answered(response)
        } catch {
            logger.info(
                "not answered",
                metadata: [
                    "call": "\(call.place)", "cause": "\(error.code.rawValue)", "detail": "\(error.detail)",
                    "time": "\(uptime() - start)",
                ])
            return .failed(
                MPinError(
                    status: .networkError, detail: "\(call.place): no reply: \(error.code.rawValue): \(error.detail)"),
                mayHaveBeenSent: error.requestMayHaveBeenSent)
        }
    }

    /// A project that does not know a path of its own any more may have become something else: the next time that it is set
    /// it is asked again. The registration is the exception, because its path tells generations apart.
    private func forgetProjectIfGone(_ status: Int, _ call: Call) {
        guard status == 404 || status == 410, call.kind != .register, case .trust(let project) = backend?.profile,
            call.request.url.origin == project.url.origin
        else { return }
        projects[project.url] = nil
    }

    private func refusal(of origin: Origin) -> TrustPolicy.Refusal? {
        if case .refused(let refusal) = trust?.judge(origin) { refusal } else { nil }
    }
}
