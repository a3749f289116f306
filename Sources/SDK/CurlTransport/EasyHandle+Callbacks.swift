// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc

extension EasyHandle {
    /// Makes curl report to `transfer`, which owns this handle and so outlives every call.
    func report(to transfer: Transfer) throws(CurlFailure) {
        // Safe throughout: curl hands back the pointer given here, to the object that is alive while its handle is.
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_OPENSOCKETDATA, CURLOPT_PREREQDATA] {
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
            guard let address = unsafe address, let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr),
                let peer = unsafe PeerAddress(
                    UnsafeRawPointer(address) + offset, length: Int(address.pointee.addrlen),
                    family: address.pointee.family),
                unsafe Transfer.at(context).permits(peer)
            else { return CURL_SOCKET_BAD }
            // Close-on-exec: the processes that the kiosk starts must not inherit a connection.
            let opened = unsafe socket(
                address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
                address.pointee.protocol)
            unsafe Transfer.at(context).hasOpened(opened)
            return opened
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
