// SPDX-License-Identifier: Apache-2.0

import CCurl
import LinuxSystem

/// Owner of curl's multi handle: the transfers that run at once and the connections kept for the next ones.
///
/// It belongs to one thread, which gets it from the thread that made it.
@safe final class MultiHandle: Sendable {
    // Safe to hand over: it is used by one thread at a time.
    private nonisolated(unsafe) let pointer: UnsafeMutableRawPointer

    init() throws(CurlSetupError) {
        guard let pointer = unsafe curl_multi_init() else {
            throw CurlSetupError("libcurl did not start: out of memory or of file descriptors")
        }
        unsafe self.pointer = unsafe pointer
        unsafe login_kiosk_curl_multi_set_long(pointer, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
        unsafe login_kiosk_curl_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, TransferLoop.maximumRunning)
    }

    deinit { unsafe curl_multi_cleanup(pointer) }

    /// - Returns: whether curl took the transfer.
    func add(_ easy: borrowing EasyHandle) -> Bool { unsafe curl_multi_add_handle(pointer, easy.pointer) == CURLM_OK }

    /// Closes the transfer's connection unless the transfer is complete.
    func remove(_ easy: borrowing EasyHandle) { unsafe curl_multi_remove_handle(pointer, easy.pointer) }

    /// Does what can be done without waiting.
    func perform() -> CURLMcode {
        var running: Int32 = 0
        return unsafe curl_multi_perform(pointer, &running)
    }

    /// Sleeps until a socket is ready, one of curl's timers has ended or `waker` is raised, for at most `milliseconds`.
    func poll(_ waker: Waker, milliseconds: Int32) -> CURLMcode {
        var wakers = curl_waitfd(fd: waker.descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        // Safe: curl reads one and writes its last member.
        let code = unsafe curl_multi_poll(pointer, &wakers, 1, milliseconds, nil)
        if wakers.revents != 0 { waker.lower() }
        return code
    }

    /// The next transfer that curl is done with.
    func nextFinished() -> (id: EasyHandle.ID, code: CURLcode)? {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(pointer, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
            // Safe: the message is read before any other call on the handle, as curl asks.
            return unsafe (EasyHandle.ID(message.pointee.easy_handle), message.pointee.data.result)
        }
        return nil
    }
}
