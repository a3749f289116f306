// SPDX-License-Identifier: Apache-2.0

extension MPin {
    /// Adds headers to all later requests; one of these wins over a header of the same name that was given before or
    /// that the SDK would send.
    ///
    /// - Throws: ``MPinError/Kind/misuse`` when one cannot be sent or is there twice; nothing has changed then.
    public func addCustomHeaders(_ headers: [HTTPHeader]) throws(MPinError) {
        let names = Set(headers.map { $0.name.lowercased() })
        var configuration = configuration
        configuration.customHeaders.removeAll { names.contains($0.name.lowercased()) }
        configuration.customHeaders += headers
        try MPin.requireValidHeaders(configuration, in: "addCustomHeaders")
        take(configuration)
    }

    /// Sends the SDK's own headers only from now on. The client id stays.
    public func clearCustomHeaders() {
        var configuration = configuration
        configuration.customHeaders = []
        take(configuration)
    }

    /// From now on requests are made with this configuration, also those at the backend that is set.
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
