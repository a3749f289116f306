// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension MPin {
    /// Carries a flow's calls out until it has its outcome.
    func run<Machine: Flow & ~Copyable>(_ flow: consuming Machine) async throws(MPinError) -> Machine.Outcome {
        var flow = flow
        var step = try flow.start()
        while true {
            switch step {
            case .finish(let outcome): return outcome
            case .make(let call):
                let outcome = await perform(call)
                do { step = try flow.receive(outcome) } catch {
                    if error.status == .responseParseError {
                        transport.distrustConnections(to: call.request.url.origin)
                    }
                    throw error
                }
            }
        }
    }

    func run<Reply>(_ exchange: Exchange<Reply>) async throws(MPinError) -> Reply {
        try await run(SingleExchange(exchange: exchange))
    }

    private func perform(_ call: Call) async -> CallOutcome {
        let way = TrustedTransport(
            transport: transport, trust: trust, uptime: uptime, logger: logger, deviceTime: wallClock, sleep: sleep)
        let outcome = await way.perform(call)
        if case .answered(let response) = outcome { forgetProjectIfGone(response.status, call) }
        return outcome
    }

    /// A project that does not know a path of its own any more may have become something else: the next time that it is set
    /// it is asked again. The registration is the exception, because its path tells generations apart.
    private func forgetProjectIfGone(_ status: Int, _ call: Call) {
        guard status == 404 || status == 410, call.kind != .register, case .trust(let project) = backend?.profile,
            call.request.url.origin == project.url.origin
        else { return }
        projects[project.url] = nil
    }
}
