// SPDX-License-Identifier: Apache-2.0

import LoginValues

extension MPin {
    /// Carries out a flow's calls until it has its outcome.
    ///
    /// - Parameter namer: the backend that named the flow's first address; it also stands for the namer of addresses in
    ///   replies. Nil for an address that the caller names.
    func run<Machine: Flow & ~Copyable>(
        _ flow: consuming Machine, namedBy namer: Origin?
    ) async throws(MPinError) -> Machine.Outcome {
        var flow = flow
        var step = try flow.start()
        while true {
            switch step {
            case .finish(let outcome): return outcome
            case .make(let call):
                let outcome = await perform(call, namedBy: namer)
                do { step = try flow.receive(outcome) } catch { throw way.distrusting(call, after: error) }
            }
        }
    }

    func run<Reply>(_ exchange: Exchange<Reply>, namedBy namer: Origin?) async throws(MPinError) -> Reply {
        try await run(SingleExchange(exchange: exchange), namedBy: namer)
    }

    /// The transport with the current trust policy.
    var way: TrustedTransport {
        TrustedTransport(
            transport: transport, trust: trust, uptime: uptime, logger: logger, deviceTime: wallClock, sleep: sleep)
    }

    private func perform(_ call: Call, namedBy namer: Origin?) async -> CallOutcome {
        let outcome = await way.perform(call, namedBy: namer)
        if case .answered(let response) = outcome { forgetProjectIfGone(response.status, call) }
        return outcome
    }

    /// Forgets a project that no longer knows one of its paths: it may have changed, so the next
    /// ``setBackend(_:rpsPrefix:namedBy:)`` asks again. Registrations are excepted, because their path depends on the
    /// server's generation.
    private func forgetProjectIfGone(_ status: Int, _ call: Call) {
        guard status == 404 || status == 410, call.kind != .register, case .trust(let project) = backend?.profile,
            call.request.url.origin == project.url.origin
        else { return }
        projects[project.url] = nil
    }
}
