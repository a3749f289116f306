// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What lies where the identities should.
public struct StoreFacts: Sendable, Equatable {
    public var places: KioskDirectories
    public var directory: FileFacts?
    public var database: FileFacts?
    public var key: FileFacts?
    /// Who asks.
    public var user: UInt32

    public init(
        places: KioskDirectories, directory: FileFacts?, database: FileFacts?, key: FileFacts?, user: UInt32
    ) {
        self.places = places
        self.directory = directory
        self.database = database
        self.key = key
        self.user = user
    }

    public init(of places: KioskDirectories) {
        self.init(
            places: places, directory: FileFacts(places.state), database: FileFacts(places.identityDatabase),
            key: FileFacts(places.identityKeyFile), user: geteuid())
    }
}
