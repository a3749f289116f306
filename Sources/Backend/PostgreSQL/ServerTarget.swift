// SPDX-License-Identifier: Apache-2.0

import CPostgres

/// The server and the database, as libpq understands them: `postgresql://...`, `host=... dbname=...`, `service=...`.
/// The `PG*` variables of the environment complete the text.
public struct ServerTarget: Sendable, CustomStringConvertible {
    /// libpq's parameters (section 34.1.2 of PostgreSQL's manual), without a password: libpq reads the password from
    /// the environment or from a file each time.
    let options: [(keyword: String, value: String)]
    /// Server and database, for people.
    public let description: String

    /// - Throws: `DatabaseFault.Kind.unusableTarget`. It repeats nothing of `text`, in which a password may stand.
    public init(_ text: String) throws(DatabaseFault) {
        let said = try ServerTarget.parsed(text)
        for secret in ["password", "sslpassword"] where said[secret] != nil {
            throw DatabaseFault(
                .unusableTarget, "a \(secret) in the address of a database can be seen by every user of the machine",
                hint: secret == "password"
                    ? "leave it out; libpq reads it from the file that passfile= names (mode 0600, a line "
                        + "host:port:database:user:password), or from PGPASSWORD in an environment file"
                    : "leave it out, and name a key without a passphrase by sslkey=")
        }
        let meant = try ServerTarget.completed(text)
        var options: [(keyword: String, value: String)] = [("dbname", text)]
        options.append(("fallback_application_name", "login-kiosk"))
        let isLocal = ServerTarget.isLocal(meant)
        // `prefer` (libpq's default) and `allow` use TLS only if it is offered, which does not stop a man in the
        // middle.
        if !isLocal, ["prefer", "allow"].contains(meant["sslmode"]) { options.append(("sslmode", "verify-full")) }
        // A standby takes no writes.
        if meant["target_session_attrs"] == "any" { options.append(("target_session_attrs", "read-write")) }
        // Detects a server that disappears silently, and turns to the next of several soon.
        let hasSeveral = [meant["host"], meant["hostaddr"]].contains { $0?.contains(",") == true }
        for (keyword, value) in [
            ("connect_timeout", hasSeveral ? "2" : "5"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
            ("keepalives_count", "2"), ("tcp_user_timeout", "10000"),
        ] where meant[keyword] == nil {
            options.append((keyword, value))
        }
        // Sends texts as UTF-8, regardless of the environment.
        options.append(("client_encoding", "UTF8"))
        self.options = options
        description = ServerTarget.description(of: meant)
    }

    /// The mode of TLS that this program sets; nil where the given one applies.
    var chosenTLSMode: String? { options.last { $0.keyword == "sslmode" }?.value }

    /// Returns the options that the text itself gives.
    private static func parsed(_ text: String) throws(DatabaseFault) -> [String: String] {
        var complaint: UnsafeMutablePointer<CChar>?
        // Safe: the text is lent for the call; libpq's list is read and freed here.
        let list = unsafe PQconninfoParse(text, &complaint)
        // libpq's complaint repeats the text.
        if let complaint = unsafe complaint { unsafe PQfreemem(complaint) }
        guard let list = unsafe list else {
            throw DatabaseFault(
                .unusableTarget, "the address of the database is none that libpq understands",
                hint: "as in postgresql://USER@HOST:PORT/DATABASE, in 'host=/run/postgresql dbname=DATABASE', or in "
                    + "service=NAME")
        }
        defer { unsafe PQconninfoFree(list) }
        return unsafe values(of: list)
    }

    /// Returns the options that libpq would connect with. They include those of the environment and of the service's
    /// file, and libpq's own defaults.
    private static func completed(_ text: String) throws(DatabaseFault) -> [String: String] {
        // libpq completes options only for a connection. With an invalid mode of channel binding the attempt ends after
        // the options are complete, before a name is looked up or a socket is opened.
        let refused = "channel_binding"
        let connection = unsafe withOptions([("dbname", text), (refused, "-")]) { keywords, values in
            unsafe PQconnectStartParams(keywords, values, 1)
        }
        defer { unsafe PQfinish(connection) }
        let complaint = unsafe PQerrorMessage(connection).map { unsafe String(cString: $0) } ?? ""
        guard complaint.contains(refused) else {
            throw DatabaseFault(
                .unusableTarget, "the address of the database cannot be completed: \(firstLine(complaint))",
                hint: "a service is looked up in ~/.pg_service.conf, and in the file that PGSERVICEFILE names")
        }
        guard let list = unsafe PQconninfo(connection) else {
            throw DatabaseFault(.unusableTarget, "the address of the database cannot be completed: out of memory")
        }
        defer { unsafe PQconninfoFree(list) }
        return unsafe values(of: list)
    }

    private static func values(of list: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
        var values: [String: String] = [:]
        var next = unsafe list
        // Safe: the list ends with an option without a keyword.
        while let keyword = unsafe next.pointee.keyword {
            if let value = unsafe next.pointee.val, unsafe value.pointee != 0 {
                values[unsafe String(cString: keyword)] = unsafe String(cString: value)
            }
            unsafe next += 1
        }
        return values
    }

    /// Whether the connection stays on this machine.
    private static func isLocal(_ meant: [String: String]) -> Bool {
        func places(_ keyword: String) -> [Substring] {
            meant[keyword]?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        }
        // An address takes the place of a name.
        let (hosts, addresses) = (places("host"), places("hostaddr"))
        return (0..<max(hosts.count, addresses.count)).allSatisfy { number in
            let address = number < addresses.count ? addresses[number] : ""
            let place = address.isEmpty && number < hosts.count ? hosts[number] : address
            return place.isEmpty || place.hasPrefix("/") || place.hasPrefix("@") || place == "localhost"
                || place == "::1" || isLoopback(place)
        }
    }

    /// Whether the text is an IPv4 address that begins with 127. A host name that begins so is not.
    private static func isLoopback(_ place: Substring) -> Bool {
        let parts = place.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    private static func description(of meant: [String: String]) -> String {
        let place = meant["host"] ?? meant["hostaddr"] ?? "the local socket"
        let database = meant["dbname"] ?? "of the user's name"
        return "PostgreSQL at \(place), port \(meant["port"] ?? "5432"), database \(database)"
    }

    static func firstLine(_ text: String) -> String {
        String(text.drop { $0.isWhitespace }.prefix { !$0.isNewline })
    }
}

/// Lends keywords and values to libpq as the lists that it takes, each with an end.
func withOptions<Result>(
    _ options: [(keyword: String, value: String)],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    // One piece of memory for all texts, each with its end, and where each begins.
    var bytes: [CChar] = []
    func place(_ text: String) -> Int {
        defer { bytes += text.utf8CString }
        return bytes.count
    }
    let keywords = options.map { place($0.keyword) }
    let values = options.map { place($0.value) }
    return unsafe bytes.withUnsafeBufferPointer { bytes in
        // Safe: every place lies within the memory, which is lent for the call.
        var lists: [[UnsafePointer<CChar>?]] = unsafe []
        for places in [keywords, values] {
            var list: [UnsafePointer<CChar>?] = unsafe []
            for place in places { unsafe list.append(bytes.baseAddress.map { unsafe $0 + place }) }
            unsafe lists.append(list + [nil])
        }
        return unsafe lists[0].withUnsafeBufferPointer { keywords in
            unsafe lists[1].withUnsafeBufferPointer { values in
                guard let keywords = keywords.baseAddress, let values = values.baseAddress else {
                    preconditionFailure("a list with an end has a beginning")
                }
                return unsafe body(keywords, values)
            }
        }
    }
}
