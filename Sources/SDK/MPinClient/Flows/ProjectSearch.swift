// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Asks for a project's configuration below the address itself, if that has a path, and then at the origin.
struct ProjectSearch {
    private var candidates: ArraySlice<(address: WebAddress, exchange: Exchange<String>)>
    private var asked: WebAddress?
    private let configuration: MPin.Configuration

    init(at address: WebAddress, _ configuration: MPin.Configuration) {
        let base = address.base
        candidates =
            (base.path.isEmpty ? [base] : [base, base.root]).compactMap { address in
                (try? Exchange.projectConfiguration(at: address, configuration)).map { (address, $0) }
            }[...]
        self.configuration = configuration
    }

    /// Whether no address below the path is left to ask.
    var isAtOrigin: Bool { candidates.first.map { $0.address.path.isEmpty } ?? true }

    /// - Returns: nil when every address was asked.
    mutating func next() -> Exchange<String>? {
        guard let candidate = candidates.popFirst() else { return nil }
        asked = candidate.address
        return candidate.exchange
    }

    /// The project in the answer.
    ///
    /// - Returns: nil when there is no project.
    /// - Throws: when the project is not the configured one, or the host may not be asked.
    func project(_ exchange: Exchange<String>, _ outcome: CallOutcome) throws(MPinError) -> TrustProject? {
        guard let asked else { return nil }
        let id: String
        do throws(MPinError) { id = try exchange.reply(from: outcome) } catch {
            // Any other address of this host has the same key.
            if case .untrustedHost = error.kind { throw error }
            return nil
        }
        guard configuration.companyID ?? id == id else {
            throw MPinError(
                .badReply,
                detail:
                    "\(exchange.call.place): this is another project than the configured one; change the client id or "
                    + "scan a code of the right project")
        }
        return try TrustProject(asked, id)
    }
}

extension WebAddress {
    /// The address of the origin alone.
    var root: WebAddress {
        guard let root = try? WebAddress("\(origin)") else { preconditionFailure("an origin is an address") }
        return root
    }
}

extension TrustProject {
    /// Longer ones would leave no room for paths with an mpin_id.
    private static let maximumURLLength = 256

    init(_ url: WebAddress, _ id: String) throws(MPinError) {
        guard url.base.absoluteText.utf8.count <= TrustProject.maximumURLLength else {
            throw MPinError(.misuse, detail: "the project at \(url.origin) has too long an address")
        }
        self.init(url: url.base, id: id, generation: nil)
    }
}
