// SPDX-License-Identifier: Apache-2.0

extension MPin {
    /// Adds headers to all later requests. They override headers of the same name that were given before, and the
    /// SDK's own.
    ///
    /// - Throws: ``MPinError/Kind/misuse`` when a header cannot be sent or appears twice; nothing has changed then.
    public func addCustomHeaders(_ headers: [HTTPHeader]) throws(MPinError) {
        take(try configuration(adding: headers, in: "addCustomHeaders"))
    }

    /// Drops all custom headers. The client id stays.
    public func clearCustomHeaders() {
        var configuration = configuration
        configuration.customHeaders = []
        take(configuration)
    }

    /// The configuration with these headers, which override its own of the same name.
    func configuration(adding headers: [HTTPHeader], in call: StaticString) throws(MPinError) -> Configuration {
        let names = Set(headers.map { $0.name.lowercased() })
        var result = configuration
        result.customHeaders.removeAll { names.contains($0.name.lowercased()) }
        result.customHeaders += headers
        try MPin.requireValidHeaders(result, in: call)
        return result
    }

    /// Uses this configuration for all later requests, also for those to the current backend.
    func take(_ configuration: Configuration) {
        self.configuration = configuration
        backend = backend.flatMap { session in
            let projectID = session.profile.projectID
            guard projectID.isEmpty || projectID == configuration.companyID ?? projectID else { return nil }
            return BackendSession(
                key: session.key, profile: session.profile, configuration: configuration, pinned: session.pinned)
        }
    }
}
