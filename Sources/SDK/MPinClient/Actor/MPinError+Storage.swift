// SPDX-License-Identifier: Apache-2.0

extension MPinError {
    init(_ error: IdentityStorageError, doing what: String) {
        self.init(.storage(error.code), detail: "\(what): \(error.code.rawValue): \(error.detail)")
    }

    init(_ error: RecordError, key: IdentityKey) {
        // Details go to logs, which name no person.
        let place = "a stored identity at \(key.backend)"
        let detail =
            switch error {
            case .damaged: "\(place) is damaged: remove it and register again"
            case .unknownVersion(let version):
                "\(place) has the record version \(version), this client reads up to \(IdentityRecord.version): it was "
                    + "written by a newer client; install that one again, or remove the identity and register again"
            case .unknownName:
                "\(place) was written by a newer client: install that one again, or remove the identity and register "
                    + "again"
            }
        self.init(.storage(nil), detail: detail)
    }
}
