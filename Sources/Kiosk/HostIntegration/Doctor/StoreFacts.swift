// SPDX-License-Identifier: Apache-2.0

import Glibc
public import LinuxSystem

/// The existing files and directories of a store.
public struct StoreFacts: Sendable, Equatable {
    public var places: KioskDirectories
    public var directory: FileFacts?
    public var database: FileFacts?
    public var key: FileFacts?
    /// The fault of the first that is not private to its owner, or no file or directory; nil for missing ones.
    public var fault: FileFault?
    /// The user who runs the check.
    public var user: UInt32

    public init(
        places: KioskDirectories, directory: FileFacts?, database: FileFacts?, key: FileFacts?,
        fault: FileFault? = nil, user: UInt32
    ) {
        self.places = places
        self.directory = directory
        self.database = database
        self.key = key
        self.fault = fault
        self.user = user
    }

    public init(of places: KioskDirectories) {
        let directory = FileFacts(places.state)
        let user = geteuid()
        self.init(
            places: places, directory: directory, database: FileFacts(places.identityDatabase),
            key: FileFacts(places.identityKeyFile),
            // Root checks the store of the kiosk's user.
            fault: StoreFacts.fault(places, owner: user == 0 ? directory?.owner ?? 0 : user), user: user)
    }

    private static func fault(_ places: KioskDirectories, owner: UInt32) -> FileFault? {
        do throws(FileFault) {
            try OwnedFile.judge(places.state, .secret, .directory, user: owner)
            try OwnedFile.judge(places.identityDatabase, .secret, followsLink: false, user: owner)
            try OwnedFile.judge(places.identityKeyFile, .secret, followsLink: false, user: owner)
        } catch {
            // Missing files have messages of their own.
            return error.cause == .missing ? nil : error
        }
        return nil
    }
}
