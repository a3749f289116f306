// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc

extension EasyHandle {
    /// Makes curl report to `transfer`, which owns this handle and so outlives every call.
    func report(to transfer: Transfer) throws(CurlFailure) {
        // Safe throughout: curl hands back the pointer given here, to the object that is alive while its handle is.
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        for option in [
            CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_OPENSOCKETDATA, CURLOPT_SOCKOPTDATA, CURLOPT_PREREQDATA,
        ] {
            try unsafe set(option, unowned: context)
        }
        try unsafe set(CURLOPT_ERRORBUFFER, unowned: errorBuffer)
        try unsafe set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            let run = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            return unsafe Transfer.at(context).take(body: run) ? run.count : stopWriting
        }
        try unsafe set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
            return unsafe Transfer.at(context).take(headerLine: line) ? line.count : stopWriting
        }
        try unsafe setBeforeRequest { context, _, _, _, port in
            unsafe Transfer.at(context).beginSending(port: Int(port)) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        try unsafe setOpenSocket { context, _, address in
            guard let address = unsafe address, let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr)
            else { return CURL_SOCKET_BAD }
            let start = unsafe UnsafeRawPointer(address) + offset
            let (length, family) = unsafe (Int(address.pointee.addrlen), address.pointee.family)
            guard let peer = unsafe PeerAddress(start, length: length, family: family),
                unsafe Transfer.at(context).permits(peer)
            else { return CURL_SOCKET_BAD }
            if let ahead = unsafe Transfer.at(context).takeAhead(start, length: length, family: family) { return ahead }
            // Close-on-exec: the processes that the kiosk starts must not inherit a connection.
            let opened = unsafe socket(
                address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
                address.pointee.protocol)
            unsafe Transfer.at(context).hasOpened(opened)
            return opened
        }
        try unsafe setSocketOption { context, socket, _ in
            unsafe Transfer.at(context).wasOpenedAhead(socket) ? CURL_SOCKOPT_ALREADY_CONNECTED : CURL_SOCKOPT_OK
        }
    }
}

/// Differs from every count that curl offers, 0 included, and so ends the transfer.
private let stopWriting = Int.max

extension Transfer {
    @unsafe fileprivate static func at(_ context: UnsafeMutableRawPointer?) -> Transfer {
        guard let context = unsafe context else { preconditionFailure("curl lost a callback's context") }
        return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }
}
