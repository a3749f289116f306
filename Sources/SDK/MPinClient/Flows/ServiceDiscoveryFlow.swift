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
        case awaitingDocument(Exchange<Result<ServiceDetails, JSONError>>)
        case awaitingProject(Exchange<String>)
        case finished
    }

    let baseURL: WebAddress
    let configuration: MPin.Configuration
    private var search: ProjectSearch
    /// The error of the first reply, which has no service document.
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
        guard let pinned = configuration.pinnedDialect(of: baseURL), pinned.isTrust else { return try ask(baseURL) }
        // A configured project needs no request.
        guard let id = configuration.companyID else { return try searchProject() }
        return finish(try TrustProject(baseURL.root, id), namedBy: baseURL.origin)
    }

    mutating func receive(_ outcome: CallOutcome) throws(MPinError) -> FlowStep<Outcome> {
        switch state {
        case .awaitingDocument(let exchange):
            if let details = try details(exchange, outcome) { return finish(details, nil) }
        case .awaitingProject(let exchange):
            if let project = try search.project(exchange, outcome) { return finish(project, namedBy: baseURL.origin) }
        case .ready, .finished: preconditionFailure("no call is out")
        }
        return try searchProject()
    }

    /// - Returns: nil when the server has no such document. Any failure at a second address means that, too.
    private mutating func details(
        _ exchange: Exchange<Result<ServiceDetails, JSONError>>, _ outcome: CallOutcome
    ) throws(MPinError) -> ServiceDetails? {
        do throws(MPinError) {
            switch try exchange.reply(from: outcome) {
            case .success(let details): return details
            case .failure(let error):
                refusal =
                    refusal ?? MPinError(.badReply, detail: "\(exchange.call.place): \(error)", httpStatus: 200)
            }
        } catch {
            guard refusal != nil || Inferred.hasNoServiceDocument(error) else { throw error }
            refusal = refusal ?? error
        }
        return nil
    }

    private mutating func ask(_ address: WebAddress) throws(MPinError) -> FlowStep<Outcome> {
        let exchange = try Exchange.serviceDetails(at: address, configuration)
        if address.base.path.isEmpty { originIsAsked = true }
        state = .awaitingDocument(exchange)
        return .make(exchange.call)
    }

    private mutating func searchProject() throws(MPinError) -> FlowStep<Outcome> {
        // A host whose dialect is pinned has no service document.
        if refusal != nil, !originIsAsked, search.isAtOrigin { return try ask(baseURL.root) }
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
        throw refusal ?? MPinError(.badReply, detail: "\(baseURL.origin) is not a service")
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
