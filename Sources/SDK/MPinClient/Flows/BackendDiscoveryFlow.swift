// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Finds out which dialect a backend speaks, in this order (docs/protocol/miracl.md, section 16):
///
///     start                              -> the client settings
///     settings                           -> the dialect that they show
///     404 or 410                         -> the project's configuration
///     no project                         -> the error of the first reply
struct BackendDiscoveryFlow: Flow {
    private enum State {
        case ready
        case awaitingSettings(Exchange<BackendProfile>)
        case awaitingProject(Exchange<String>)
        case finished
    }

    let url: WebAddress
    let rpsPrefix: String
    /// The dialect that the configuration sets, if it sets one.
    let pinned: DialectName?
    let configuration: MPin.Configuration
    private var search: ProjectSearch
    private var refusal: MPinError?
    private var state = State.ready

    init(url: WebAddress, rpsPrefix: String, pinned: DialectName?, configuration: MPin.Configuration) {
        self.url = url
        self.rpsPrefix = rpsPrefix
        self.pinned = pinned
        self.configuration = configuration
        search = ProjectSearch(at: url, configuration)
    }

    mutating func start() throws(MPinError) -> FlowStep<BackendProfile> {
        if let pinned, pinned.isTrust {
            // A configured project needs no request.
            if let id = configuration.companyID { return finish(try TrustProject(url, id)) }
            return try searchProject()
        }
        let exchange = try Exchange.clientSettings(of: url, rpsPrefix: rpsPrefix, pinned: pinned, configuration)
        state = .awaitingSettings(exchange)
        return .make(exchange.call)
    }

    mutating func receive(_ outcome: CallOutcome) throws(MPinError) -> FlowStep<BackendProfile> {
        switch state {
        case .awaitingSettings(let exchange):
            do throws(MPinError) {
                let profile = try exchange.reply(from: outcome)
                state = .finished
                return .finish(profile)
            } catch {
                guard pinned == nil, error.httpStatus == 404 || error.httpStatus == 410 else { throw error }
                refusal = error
                return try searchProject()
            }
        case .awaitingProject(let exchange):
            if let project = try search.project(exchange, outcome) { return finish(project) }
            return try searchProject()
        case .ready, .finished: preconditionFailure("no call is out")
        }
    }

    private mutating func searchProject() throws(MPinError) -> FlowStep<BackendProfile> {
        guard let exchange = search.next() else {
            state = .finished
            throw refusal
                ?? MPinError(
                    .badReply,
                    detail: "\(url.origin) has no project's configuration; set the client id to the project's")
        }
        state = .awaitingProject(exchange)
        return .make(exchange.call)
    }

    private mutating func finish(_ project: TrustProject) -> FlowStep<BackendProfile> {
        state = .finished
        var project = project
        project.generation = pinned
        return .finish(.trust(project))
    }
}
