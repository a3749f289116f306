// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc

/// libcurl as a whole, started once a process.
enum CurlLibrary {
    static func start() throws(CurlSetupError) {
        guard startCode == CURLE_OK else { throw CurlSetupError("libcurl did not start: code \(startCode.rawValue)") }
    }

    /// libcurl copies request bodies into its send buffer and replies into its receive buffer and frees both as they
    /// are. With this allocator it wipes all freed memory. If another part of the process started libcurl before, its
    /// allocator stays and only our own copies are wiped.
    private static let startCode = unsafe curl_global_init_mem(
        Int(CURL_GLOBAL_DEFAULT),
        { unsafe malloc($0) },
        { unsafe wipingFree($0) },
        { unsafe wipingReallocate($0, $1) },
        { unsafe $0.flatMap { unsafe strdup($0) } },
        { unsafe calloc($0, $1) })
}

/// Overwrites a block of `malloc` and frees it.
@unsafe private func wipingFree(_ block: UnsafeMutableRawPointer?) {
    guard let block = unsafe block else { return }
    // Safe: the allocator itself returns how much of the block may be written.
    unsafe explicit_bzero(block, malloc_usable_size(block))
    unsafe free(block)
}

/// `realloc` that leaves no copy behind when the block moves.
@unsafe private func wipingReallocate(_ block: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer? {
    guard let grown = unsafe malloc(size) else { return nil }
    if let block = unsafe block {
        // Safe: both blocks hold at least as many bytes as are copied.
        unsafe memcpy(grown, block, min(size, malloc_usable_size(block)))
        unsafe wipingFree(block)
    }
    return unsafe grown
}

/// The reason why the transport did not start.
public struct CurlSetupError: Error, Sendable, CustomStringConvertible {
    /// The failure, its place and the remedy.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
