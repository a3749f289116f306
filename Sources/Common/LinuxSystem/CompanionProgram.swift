// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A program of this project that another one starts.
public struct CompanionProgram: Sendable, Equatable {
    /// The name of its file.
    public let name: String

    public static let kiosk = CompanionProgram(name: "login-kiosk")
    public static let scanner = CompanionProgram(name: "login-kiosk-scanner")
    public static let display = CompanionProgram(name: "login-kiosk-display")
    public static let backend = CompanionProgram(name: "login-kiosk-backend")
    public static let demo = CompanionProgram(name: "login-kiosk-demo")

    /// The remedy when it is missing.
    public var remedy: String {
        let package = self == .scanner ? CompanionProgram.kiosk.name : name
        return "install it: apt-get install \(package), or in a checkout: make build"
    }

    /// The path beside the running program, where a build and an installation put it. Otherwise the path in the
    /// `libexec/login-kiosk` next to the running program's `bin`, where an installation puts programs that only
    /// programs start.
    ///
    /// - Returns: nil when it is at neither path.
    /// - Throws: when another user could have changed it. The running program's owner could have changed that one too,
    ///   so their companion is trusted.
    public func path() throws(FileFault) -> String? {
        guard let directory = CompanionProgram.directoryOfRunningProgram() else { return nil }
        let above = directory.lastIndex(of: "/").map { directory[..<$0] } ?? ""
        let places = ["\(directory)/\(name)", "\(above)/libexec/login-kiosk/\(name)"]
        // Safe: the texts are lent for the calls.
        guard let found = places.first(where: { unsafe access($0, X_OK) == 0 }) else { return nil }
        var running = stat()
        // Safe: the call fills our own structure.
        let isKnown = unsafe stat("/proc/self/exe", &running) == 0
        try OwnedFile.check(found, alsoTrusted: isKnown ? running.st_uid : nil)
        return found
    }

    /// Replaces this process by the program: same arguments, streams and signals.
    ///
    /// - Parameters:
    ///   - path: from ``path()``.
    ///   - count: the number of the process's own arguments to leave out, besides the program's name.
    /// - Returns: only when it cannot be started; `errno` says why.
    public static func become(_ path: String, withoutArguments count: Int) {
        // Safe: the arguments end with nil. Until the call has failed the name replaces one that is not needed any
        // more.
        unsafe path.withCString { name in
            let words = unsafe UnsafeMutableRawPointer(CommandLine.unsafeArgv + count)
                .assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
            let present = unsafe words[0]
            unsafe words[0] = UnsafeMutablePointer(mutating: name)
            _ = unsafe execv(name, words)
            unsafe words[0] = present
        }
    }

    public static func directoryOfRunningProgram() -> String? {
        guard let path = SymbolicLink.target(of: "/proc/self/exe") else { return nil }
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
}
