// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues

/// Finds out which service a scanned address belongs to, in this order (docs/protocol/miracl.md, section 16). One
/// origin may have several services, each below a path of its own. So all addresses below the path come before those at
/// the origin:
///
///     start, host pinned     -> the project at its origin
///     start                  -> the service document below the address
///     404, or no JSON        -> the project's configuration below the address, if that has a path
///     no project             -> the service document at its origin, then the project's configuration there
///     no project either      -> the platform, if it is allowed for the host; else the error of the first reply
struct ServiceDiscoveryFlow: Flow {
    struct Outcome {
        let details: ServiceDetails
        /// Nil if there is a service document.
        let project: TrustProject?
    }

    private enum State {
        case ready
        case awaitingDocument(Exchange<Result<ServiceDetails, JSONError>>, isFirst: Bool)
        case awaitingProject(Exchange<String>)
        case finished
    }

    let baseURL: WebAddress
    let configuration: MPin.Configuration
    private var search: ProjectSearch
    private var refusal: MPinError?
    /// Whether the origin was asked for its service document.
    private var originIsAsked = false
    private var state = State.ready

    init(baseURL: WebAddress, configuration: MPin.Configuration) {
        self.baseURL = baseURL
        self.configuration = configuration
        search = ProjectSearch(at: baseURL, configuration)
    }

    mutating func start() throws(MPinError) -> FlowStep<Outcome> {
        guard let pinned = configuration.pinnedDialect(of: baseURL), pinned.isTrust else {
            return try ask(baseURL, isFirst: true)
        }
        // A configured project needs no request.
        guard let id = configuration.companyID else { return try searchProject() }
        return finish(try TrustProject(baseURL.root, id))
    }

    mutating func receive(_ outcome: CallOutcome) throws(MPinError) -> FlowStep<Outcome> {
        switch state {
        case .awaitingDocument(let exchange, let isFirst):
            switch reply(exchange, outcome) {
            case .success(let details): return finish(details, nil)
            case .failure where !isFirst: return try searchProject()
            case .failure(let failure):
                guard failure.hasNoDocument else { throw failure.error }
                refusal = failure.error
                return try searchProject()
            }
        case .awaitingProject(let exchange):
            if let project = try search.project(exchange, outcome) { return finish(project) }
            return try searchProject()
        case .ready, .finished: preconditionFailure("no call is out")
        }
    }

    /// The reason why there are no details, and whether the server certainly has no such document.
    private struct LookupFailure: Error {
        let error: MPinError
        let hasNoDocument: Bool
    }

    private func reply(
        _ exchange: Exchange<Result<ServiceDetails, JSONError>>, _ outcome: CallOutcome
    ) -> Result<ServiceDetails, LookupFailure> {
        do throws(MPinError) {
            switch try exchange.reply(from: outcome) {
            case .success(let details): return .success(details)
            case .failure(let error):
                return .failure(
                    LookupFailure(
                        error: MPinError(
                            .badReply, detail: "\(exchange.call.place): \(error)", httpStatus: 200),
                        hasNoDocument: true))
            }
        } catch {
            return .failure(LookupFailure(error: error, hasNoDocument: Inferred.hasNoServiceDocument(error)))
        }
    }

    private mutating func ask(_ address: WebAddress, isFirst: Bool) throws(MPinError) -> FlowStep<Outcome> {
        let exchange = try Exchange.serviceDetails(at: address, configuration)
        if address.base.path.isEmpty { originIsAsked = true }
        state = .awaitingDocument(exchange, isFirst: isFirst)
        return .make(exchange.call)
    }

    private mutating func searchProject() throws(MPinError) -> FlowStep<Outcome> {
        // A host whose dialect is pinned has no service document.
        if refusal != nil, !originIsAsked, search.isAtOrigin { return try ask(baseURL.root, isFirst: false) }
        if let exchange = search.next() {
            state = .awaitingProject(exchange)
            return .make(exchange.call)
        }
        if let platform = configuration.platform, let id = configuration.companyID,
            platform.scannedHosts.contains(where: { $0.covers(baseURL.origin) })
        {
            return finish(try TrustProject(platform.projectURL, id), namedBy: nil)
        }
        state = .finished
        throw refusal ?? MPinError(.badReply, detail: "\(baseURL.origin) is no service")
    }

    private mutating func finish(_ project: TrustProject) -> FlowStep<Outcome> {
        finish(project, namedBy: baseURL.origin)
    }

    /// Finishes with a project, which describes itself only in the details of a session.
    private mutating func finish(_ project: TrustProject, namedBy namer: Origin?) -> FlowStep<Outcome> {
        let details = ServiceDetails(
            name: "", backendURL: project.url, rpsPrefix: "rps/v2", logoURL: "", namedBy: namer)
        return finish(details, project)
    }

    private mutating func finish(_ details: ServiceDetails, _ project: TrustProject?) -> FlowStep<Outcome> {
        state = .finished
        return .finish(Outcome(details: details, project: project))
    }
}
