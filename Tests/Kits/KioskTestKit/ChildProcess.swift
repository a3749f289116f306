// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A program that a test starts, with nothing inherited but what it is given. It is killed when this object is
/// dropped.
public final class ChildProcess {
    private let pid: pid_t
    private let output: Int32
    private var buffered: [UInt8] = []
    private var status: Int32?

    /// - Parameter path: the program; `arguments` follow its name.
    /// - Parameter environment: the whole environment, as `NAME=value`.
    public init(_ path: String, _ arguments: [String], environment: [String] = []) throws(ContractViolation) {
        // If another child inherited the pipe's end, the reader would wait for that child.
        (pid, output) = try ChildProcess.starting.withLock { _ throws(ContractViolation) in
            try ChildProcess.start(path, arguments, environment)
        }
    }

    private static let starting = Mutex(())

    private static func start(
        _ path: String, _ arguments: [String], _ environment: [String]
    ) throws(ContractViolation) -> (pid: pid_t, output: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw ContractViolation("no pipe for the output of \(path)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
            close(ends[1])
        }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var noSignals = sigset_t()
        unsafe sigemptyset(&noSignals)
        unsafe posix_spawnattr_setsigmask(&attributes, &noSignals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        // Safe: the copies live until the child has its own.
        let words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        let settings = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + settings).forEach { unsafe free($0) } }
        var pid: pid_t = 0
        let code = unsafe posix_spawn(&pid, path, &actions, &attributes, words, settings)
        guard code == 0 else {
            close(ends[0])
            throw ContractViolation("\(path) did not start: error \(code)")
        }
        return (pid, ends[0])
    }

    deinit {
        if status == nil { kill() }
        close(output)
    }

    /// Waits for the next line of standard output, and returns it without the line break; nil at the end.
    public func readLine() -> String? {
        while true {
            if let end = buffered.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffered.removeSubrange(...end) }
                return String(decoding: buffered[..<end], as: UTF8.self)
            }
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = unsafe read(output, &chunk, chunk.count)
            guard count > 0 else { return nil }
            buffered += chunk[..<count]
        }
    }

    /// Kills it (SIGKILL) and waits for its end.
    public func kill() {
        _ = Glibc.kill(pid, SIGKILL)
        _ = wait()
    }

    /// Waits until it ends by itself.
    ///
    /// - Returns: its exit code, or 128 plus the number of the signal that ended it.
    @discardableResult
    public func wait() -> Int32 {
        if let status { return status }
        var raw: Int32 = 0
        while unsafe waitpid(pid, &raw, 0) < 0, errno == EINTR {}
        let code = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
        status = code
        return code
    }
}
