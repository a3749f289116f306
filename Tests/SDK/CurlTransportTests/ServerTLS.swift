// SPDX-License-Identifier: Apache-2.0

import CSSL
import Glibc
import KioskTestKit

/// The server's side of TLS for scripted connections, by the library itself: scripts need each byte.
@safe final class ServerTLS: Sendable {
    // Safe: OpenSSL counts the uses of a context under a lock of its own, and nothing changes it after `init`.
    private nonisolated(unsafe) let context: OpaquePointer
    private nonisolated(unsafe) let offered: UnsafeMutablePointer<UInt8>

    /// - Parameters:
    ///   - protocols: what it speaks, the one that it likes best first; none: it does not answer ALPN.
    ///   - server: a certificate of the authority.
    init(_ protocols: [String], _ authority: TestAuthority, for server: String = "server") throws {
        guard let context = unsafe SSL_CTX_new(TLS_server_method()) else { throw NoTLS() }
        unsafe self.context = unsafe context
        // As TLS writes them, each with its length in front, and a zero behind the last one.
        let names = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } as [UInt8] + [0]
        unsafe offered = UnsafeMutablePointer.allocate(capacity: names.count)
        unsafe offered.initialize(from: names, count: names.count)
        let (certificate, key) = (authority.certificateFile(of: server), authority.keyFile(of: server))
        guard unsafe SSL_CTX_use_certificate_file(context, certificate, SSL_FILETYPE_PEM) == 1,
            unsafe SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1
        else { throw NoTLS() }
        guard !protocols.isEmpty else { return }
        // Safe: the names live as long as the context.
        unsafe SSL_CTX_set_alpn_select_cb(
            context,
            { _, chosen, length, asked, count, offered in
                guard let offered = unsafe offered?.assumingMemoryBound(to: UInt8.self) else {
                    return SSL_TLSEXT_ERR_NOACK
                }
                var size = 0
                while unsafe offered[size] != 0 { size += Int(unsafe offered[size]) + 1 }
                var name: UnsafeMutablePointer<UInt8>?
                let answer = unsafe SSL_select_next_proto(&name, length, offered, UInt32(size), asked, count)
                unsafe chosen?.pointee = unsafe UnsafePointer(name)
                return answer == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK
            }, offered)
    }

    private struct NoTLS: Error {}

    deinit {
        unsafe SSL_CTX_free(context)
        unsafe offered.deallocate()
    }

    /// - Returns: nil when the client does not go through with it.
    func begin(_ descriptor: Int32) -> TLSSession? {
        // OpenSSL writes without MSG_NOSIGNAL. The thread is the connection's own.
        var broken = sigset_t()
        unsafe sigemptyset(&broken)
        unsafe sigaddset(&broken, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &broken, nil)
        guard let session = unsafe SSL_new(context) else { return nil }
        let begun = unsafe TLSSession(session)
        guard unsafe SSL_set_fd(session, descriptor) == 1, unsafe SSL_accept(session) == 1 else { return nil }
        return begun
    }
}

/// TLS of one connection, for the thread that serves it.
@safe final class TLSSession {
    private let session: OpaquePointer

    @unsafe init(_ session: OpaquePointer) { unsafe self.session = unsafe session }

    deinit { unsafe SSL_free(session) }

    var agreed: String {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        // Safe: the name is the session's.
        unsafe SSL_get0_alpn_selected(session, &name, &length)
        return unsafe String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    /// - Returns: how many bytes were read; 0 or less when there are no more.
    func read(_ bytes: inout [UInt8]) -> Int { Int(unsafe SSL_read(session, &bytes, Int32(bytes.count))) }

    /// - Returns: false when the client is gone.
    func write(_ bytes: [UInt8]) -> Bool { unsafe SSL_write(session, bytes, Int32(bytes.count)) == bytes.count }
}
