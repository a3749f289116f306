// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Where a PIN takes effect, as a person is told who is asked for it.
public struct PINPlace: Sendable, Hashable {
    /// Host and port of the backend.
    public let domain: String
    /// Host and port of the service that the code is from; nil where it is the same.
    public let onBehalfOf: String?

    init(backend: Origin, service: Origin) {
        domain = backend.place
        onBehalfOf = service.place == backend.place ? nil : service.place
    }
}

extension PINPlace: CustomStringConvertible {
    public var description: String { "domain \(domain)" + (onBehalfOf.map { ", on behalf of \($0)" } ?? "") }
}
