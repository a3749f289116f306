// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import MPinServer

/// The user that a command is about, and the storage. A command changes all identities of the user.
struct BackendUserOptions: ParsableArguments {
    @OptionGroup var place: BackendStateOptions
    @Argument(help: "The user id, usually an e-mail address.") var user: String
    @Flag(help: "Print a JSON object.") var json = false

    /// - Parameters:
    ///   - done: the output's verb after a change.
    ///   - absence: the verb of the error when there is nothing to change.
    ///   - change: changes the user's identities or registrations and returns their number.
    func change(
        _ done: String, orComplain absence: String = "has an identity",
        _ change: (BackendState) async throws -> Int
    ) async throws {
        let found = try await LoginKioskBackend.complaining { try await change(place.backendState()) }
        guard found > 0 else {
            throw Complaint.make(
                "\(user): no such user \(absence)", hint: "see who there is: login-kiosk-backend users",
                status: .dataError)
        }
        if json { return try JSONOutput.write(Document(user: user, done: done, count: found)) }
        print("\(done): \(user) (\(found))")
    }

    private struct Document: Encodable {
        let version = 1
        let user: String
        let done: String
        /// Number of identities, or of registrations.
        let count: Int
    }
}

struct BackendRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a user's identities. The user can register again.",
        discussion: "For example: login-kiosk-backend revoke alice@example.com")
    @OptionGroup var options: BackendUserOptions

    func run() async throws { try await options.change("revoked") { try await $0.revoke(userID: options.user) } }
}

struct BackendUnblockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Unblock a user: the wrong PINs are forgotten.",
        discussion: "For example: login-kiosk-backend unblock alice@example.com")
    @OptionGroup var options: BackendUserOptions

    func run() async throws { try await options.change("unblocked") { try await $0.unblock(userID: options.user) } }
}

struct BackendRenewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Make a user's devices get new keys at their next login. Not for the classic dialects.",
        discussion: "For example: login-kiosk-backend renew alice@example.com")
    @OptionGroup var options: BackendUserOptions

    func run() async throws {
        try await options.change("to be renewed", orComplain: "has an identity with a key") {
            try await $0.renew(userID: options.user)
        }
    }
}

struct BackendActivateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activate",
        abstract: "Confirm a user's open registrations instead of the activation mail.",
        discussion: "For example: login-kiosk-backend activate alice@example.com")
    @OptionGroup var options: BackendUserOptions

    func run() async throws {
        try await options.change("activated", orComplain: "waits for a confirmation") {
            try await $0.activate(userID: options.user)
        }
    }
}
