// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import ReferenceBackend

/// The user that a command is about, and the storage. A command changes all identities of the user at once.
struct BackendUserOptions: ParsableArguments {
    @OptionGroup var place: BackendStateOptions
    @Argument(help: "The user id, usually an e-mail address.") var user: String

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
        print("\(done): \(user) (\(found))")
    }
}

struct BackendRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a user's identities. The user can register again.")
    @OptionGroup var options: BackendUserOptions

    func run() async throws { try await options.change("revoked") { try await $0.revoke(userID: options.user) } }
}

struct BackendUnblockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Unblock a user: the wrong PINs are forgotten.")
    @OptionGroup var options: BackendUserOptions

    func run() async throws { try await options.change("unblocked") { try await $0.unblock(userID: options.user) } }
}

struct BackendRenewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Make a user's devices get new keys at their next login. Not for the classic dialects.")
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
        abstract: "Confirm a user's open registrations instead of the activation mail.")
    @OptionGroup var options: BackendUserOptions

    func run() async throws {
        try await options.change("activated", orComplain: "waits for a confirmation") {
            try await $0.activate(userID: options.user)
        }
    }
}
