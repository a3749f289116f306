// SPDX-License-Identifier: Apache-2.0

/// The errors of a backend that starts, stops or is managed. A request that fails gets a status instead.
package enum BackendError: Error, Equatable, Sendable {
    /// A configured value is invalid; the text names it and a valid form.
    case invalidConfiguration(String)
    /// The operator typed an invalid user id. The text has the reason.
    case invalidUserID(String)
    /// An application cannot be added or changed as an operator asked.
    case invalidApplication(problem: String, hint: String)
    /// A file of the state directory, of TLS or of a password cannot be read or written.
    case file(path: String, reason: String)
    /// Another backend serves with the SQLite database of this state directory.
    case stateInUse(path: String)
    /// Other users can change the file at `path`, or read a secret in it. The hint names the repair.
    case exposedFile(path: String, problem: String, hint: String)
    /// The master secret at `path` is neither plain nor sealed as this version writes it.
    case malformedMasterSecret(path: String)
    /// The master secret is sealed and no passphrase was given.
    case passphraseNeeded(path: String)
    /// The passphrase does not open the file.
    case wrongPassphrase
    /// The people of the database were registered with another master secret than this one.
    case otherServerSecret
    /// The database refused. The text is the database's own.
    case database(String)
    /// The address of a database server cannot be used.
    case databaseAddress(problem: String, hint: String?)
    /// A database server cannot be reached or cannot be used.
    case databaseServer(problem: String, hint: String?)
    /// The system's random generator cannot be used.
    case randomnessUnavailable
    /// A cryptographic library refused an operation that cannot fail on sound input.
    case cryptographyFailed
    /// libpng refused to write a picture.
    case pictureFailed
    /// A listener cannot be bound to this address; the reason is the system's.
    case cannotListen(address: String, reason: String)
    /// The backend ended before it had bound its ports.
    case notRunning
    /// This program was built without the library that serves by TLS.
    case builtWithoutTLS
}

extension BackendError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidConfiguration(let explanation): explanation
        case .invalidUserID(let reason): reason
        case .invalidApplication(let problem, _): problem
        case .file(let path, let reason): "\(path): \(reason)"
        case .stateInUse(let path): "\(path): another backend serves with this state directory"
        case .exposedFile(let path, let problem, _): "\(path): \(problem)"
        case .malformedMasterSecret(let path):
            "\(path): not a master secret of this program; restore it from a backup, or remove the state directory "
                + "to start again, which makes every registered token worthless"
        case .passphraseNeeded(let path): "\(path): the master secret is sealed; give the passphrase file"
        case .wrongPassphrase: "the passphrase does not open the master secret"
        case .otherServerSecret:
            "the master secret is not the one that the people of this database are registered with: every right PIN "
                + "would be refused as wrong"
        case .database(let reason): "database: \(reason)"
        case .databaseAddress(let problem, _), .databaseServer(let problem, _): "database: \(problem)"
        case .randomnessUnavailable: "the system's random generator is not available"
        case .cryptographyFailed: "a cryptographic library refused an operation"
        case .pictureFailed: "libpng refused to write the picture of a QR code"
        case .cannotListen(let address, let reason): "cannot listen on \(address): \(reason)"
        case .notRunning: "the backend stopped before its ports were bound"
        case .builtWithoutTLS: "this backend was built without TLS, for the demonstration"
        }
    }
}

extension BackendError {
    /// The advice for `otherServerSecret`.
    package static let secretHint = """
        copy dta1/master and dta2/master from a backend that is in use, or from the backups; with new ones everybody \
        has to register again, in a new database
        """
}
