// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import MPinServer

struct BackendApplicationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "applications",
        abstract: "Manage the applications that people log in to with OpenID Connect.",
        discussion: """
            The login page and kiosks show an application's name and host before the PIN is typed. A change takes \
            effect with the next request, without a restart.
            """,
        subcommands: [List.self, Add.self, Remove.self, NewSecret.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the applications. Their secrets are not kept.",
            discussion: "For example: login-kiosk-backend applications list --json")
        @OptionGroup var place: BackendStateOptions
        @Flag(help: "Print a JSON object.") var json = false

        func run() async throws {
            let applications = try await LoginKioskBackend.complaining {
                try await place.backendState().applications()
            }
            if json {
                try JSONOutput.write(ApplicationList(applications: applications.map { ApplicationEntry($0) }))
            } else if applications.isEmpty {
                print("no applications yet")
            } else {
                for application in applications { ApplicationEntry(application).printLines() }
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add an application and print its credentials. The secret is printed only now.",
            discussion: """
                For example: login-kiosk-backend applications add "Time sheets" \
                --redirect-uri https://time.example.com/back
                """)
        @OptionGroup var place: BackendStateOptions
        @Argument(help: "The name that people read, for example \"Time sheets\".") var name: String
        @Option(help: "Redirect URI, compared exactly. Repeat for more.")
        var redirectURI: [String] = []
        @Option(help: "Address to which a logout leads browsers, compared exactly. Repeat for more.")
        var postLogoutRedirectURI: [String] = []
        @Flag(
            name: .customLong("public"), help: "The application runs in a browser or on a telephone and has no secret.")
        var isPublic = false
        @Flag(help: "Print a JSON object.") var json = false

        func run() async throws {
            let (application, secret) = try await LoginKioskBackend.complaining {
                try await place.backendState().addApplication(
                    name: name, redirectURIs: redirectURI, postLogoutURIs: postLogoutRedirectURI, isPublic: isPublic)
            }
            try ApplicationEntry(application, secret: secret).show(asJSON: json)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove an application. Nobody can log in to it any more.",
            discussion: "For example: login-kiosk-backend applications remove \"Time sheets\"")
        @OptionGroup var place: BackendStateOptions
        @Argument(help: "Name or client_id of the application.") var application: String
        @Flag(help: "Print a JSON object.") var json = false

        func run() async throws {
            let removed = try await LoginKioskBackend.complaining {
                try await place.backendState().removeApplication(application)
            }
            guard let removed else { throw BackendApplicationsCommand.noSuchApplication(application) }
            if json {
                return try JSONOutput.write(ApplicationDocument(application: ApplicationEntry(removed)))
            }
            print("removed: \(removed.name)")
        }
    }

    struct NewSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new-secret",
            abstract: "Give an application a new secret. The old one stops working.",
            discussion: "For example: login-kiosk-backend applications new-secret \"Time sheets\"")
        @OptionGroup var place: BackendStateOptions
        @Argument(help: "Name or client_id of the application.") var application: String
        @Flag(help: "Print a JSON object.") var json = false

        func run() async throws {
            let renewed = try await LoginKioskBackend.complaining {
                try await place.backendState().renewSecret(ofApplication: application)
            }
            guard let renewed else { throw BackendApplicationsCommand.noSuchApplication(application) }
            try ApplicationEntry(renewed.application, secret: renewed.secret).show(asJSON: json)
        }
    }

    fileprivate static func noSuchApplication(_ typed: String) -> any Error {
        Complaint.make(
            "\(typed): no such application", hint: "see which there are: login-kiosk-backend applications list",
            status: .dataError)
    }
}

private struct ApplicationList: Encodable {
    let version = 1
    let applications: [ApplicationEntry]
}

private struct ApplicationDocument: Encodable {
    let version = 1
    let application: ApplicationEntry
}

private struct ApplicationEntry: Encodable {
    let clientID: String
    let name: String
    let redirectURIs: [String]
    let postLogoutURIs: [String]
    let isPublic: Bool
    let added: String
    /// Shown only when it is made.
    let clientSecret: String?

    enum CodingKeys: String, CodingKey {
        case clientID = "client_id", name, redirectURIs = "redirect_uris", isPublic = "public", added
        case postLogoutURIs = "post_logout_redirect_uris"
        case clientSecret = "client_secret"
    }

    init(_ application: BackendApplication, secret: String? = nil) {
        clientID = application.id
        name = application.name
        redirectURIs = application.redirectURIs
        postLogoutURIs = application.postLogoutURIs
        isPublic = application.isPublic
        added = application.added
        clientSecret = secret
    }

    func show(asJSON: Bool) throws {
        if asJSON { try JSONOutput.write(ApplicationDocument(application: self)) } else { printLines() }
    }

    func printLines() {
        print(name)
        print("  client_id      \(clientID)")
        if let clientSecret {
            print("  client_secret  \(clientSecret)")
        } else if isPublic {
            print("  no secret, PKCE")
        }
        for uri in redirectURIs { print("  redirect_uri   \(uri)") }
        for uri in postLogoutURIs { print("  after logout   \(uri)") }
    }
}
