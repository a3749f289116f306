// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BackendHTTP
#if TLS
    import BackendTLS
#endif
import BackendValues
import CommandLineInterface
import Foundation
import MPinServer

@main
struct LoginKioskBackend: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login-kiosk-backend",
        abstract: "Serve the reference backend: D-TAs, RPS and a web site to log in to.",
        discussion: """
            Without a subcommand it serves, as in: login-kiosk-backend --listen 127.0.0.1:8480

            The other subcommands work on the state directory, or on the database, also while a backend serves from it.
            """,
        version: Version.current,
        subcommands: [
            BackendServeCommand.self, BackendUsersCommand.self, BackendActivateCommand.self, BackendUnblockCommand.self,
            BackendRevokeCommand.self, BackendRenewCommand.self, BackendEraseCommand.self,
            BackendApplicationsCommand.self,
            BackendOperatorPasswordCommand.self, BackendSigningKeyCommand.self,
            BackendAuthorityCommand.self, BackendAuditCommand.self,
        ],
        defaultSubcommand: BackendServeCommand.self)

    #if TLS
        static let tls: (any TLSConnections.Type)? = NIOTLS.connections
    #else
        static let tls: (any TLSConnections.Type)? = nil
    #endif

    @MainActor
    static func main() async { await start() }

    /// Runs `work` and turns errors of the backend into a message and an exit code.
    static func complaining<Result>(_ work: () async throws -> Result) async throws -> Result {
        do { return try await work() } catch let error as BackendError {
            switch error {
            case .invalidConfiguration: throw Complaint.make("\(error)", status: .usage)
            case .exposedFile(_, _, let hint):
                throw Complaint.make("\(error)", hint: hint, status: .configuration)
            case .invalidUserID:
                throw Complaint.make(
                    "\(error)", hint: "copy it from the list: login-kiosk-backend users", status: .usage)
            case .invalidApplication(_, let hint): throw Complaint.make("\(error)", hint: hint, status: .usage)
            case .stateInUse:
                throw Complaint.make(
                    "\(error)", hint: "several backends share a PostgreSQL database: --database",
                    status: .temporaryFailure)
            case .file: throw Complaint.make("\(error)", status: .noInput)
            case .malformedMasterSecret, .wrongPassphrase: throw Complaint.make("\(error)", status: .dataError)
            case .otherServerSecret:
                throw Complaint.make("\(error)", hint: BackendError.secretHint, status: .configuration)
            case .passphraseNeeded:
                throw Complaint.make(
                    "\(error)", hint: "name the file that holds it: --passphrase-file FILE", status: .configuration)
            case .database: throw Complaint.make("\(error)", status: .ioError)
            case .databaseAddress(_, let hint): throw Complaint.make("\(error)", hint: hint, status: .usage)
            case .databaseServer(_, let hint): throw Complaint.make("\(error)", hint: hint, status: .unavailable)
            case .randomnessUnavailable, .cryptographyFailed, .pictureFailed:
                throw Complaint.make("\(error)", status: .internalError)
            case .cannotListen:
                throw Complaint.make("\(error)", hint: "another address: --listen 127.0.0.1:0", status: .unavailable)
            case .notRunning: throw Complaint.make("\(error)", status: .unavailable)
            case .builtWithoutTLS:
                throw Complaint.make("\(error)", hint: "build it whole: make build", status: .unavailable)
            }
        }
    }
}
